import type { Page } from "@playwright/test";
import { asOwner, makeAccount, makeAdmin, type Account } from "./support/accounts.ts";
import { endMembership } from "./support/provider.ts";
import { expect, test } from "./support/test.ts";

/** Opens each address and tells where one ends once a page stands there. */
async function expectJourneys(page: Page, journeys: Readonly<Record<string, string>>) {
  for (const [address, end] of Object.entries(journeys)) {
    await test.step(`${address} ends at ${end}`, async () => {
      await page.goto(address, { waitUntil: "commit" });
      // While it is decided nothing but the mark is shown, so a heading means: here it ends.
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page).toHaveURL((url) => url.pathname === end);
    });
  }
}

const SIGNED_IN_PAGES = {
  "/chats": "/chats",
  "/learning/create": "/learning/create",
  "/subscriptions": "/subscriptions",
  "/progress": "/progress",
  "/verification": "/verification",
};

/** Where everybody ends who belongs to one place and may not see these. */
function allTo(end: string, addresses: readonly string[]): Record<string, string> {
  return Object.fromEntries(addresses.map((address) => [address, end]));
}

const AUTH_PAGES = ["/auth", "/signup", "/signin", "/adminlogin"];
const DASHBOARDS = ["/studentdash", "/mentordash", "/admindash"];
const UNKNOWN = ["/dashboard", "/nowhere"];
const LIBRARY = ["/knowledge/foundations", "/business/courses", "/wealth/foundations"];

interface Viewer {
  name: string;
  make: () => Promise<Account>;
  journeys: Record<string, string>;
}

const UNPAID_JOURNEYS = {
  ...allTo("/paywall", [...AUTH_PAGES, ...DASHBOARDS, ...UNKNOWN]),
  "/paywall": "/paywall",
  "/onboarding": "/paywall",
  "/success": "/success",
  ...SIGNED_IN_PAGES,
};

const VIEWERS: Viewer[] = [
  {
    name: "who has not paid",
    make: async () => await makeAccount("signed-up"),
    journeys: { ...UNPAID_JOURNEYS, "/knowledge/foundations": "/paywall" },
  },
  {
    name: "who has paid but not finished onboarding",
    make: async () => await makeAccount("paid"),
    journeys: {
      ...allTo("/onboarding", [...AUTH_PAGES, ...DASHBOARDS, ...UNKNOWN, "/paywall"]),
      "/onboarding": "/onboarding",
      "/success": "/success",
      "/knowledge/foundations": "/onboarding",
      ...SIGNED_IN_PAGES,
    },
  },
  {
    name: "who is a student at level 1",
    make: async () => await makeAccount("onboarded"),
    journeys: {
      ...allTo("/studentdash", [...AUTH_PAGES, ...DASHBOARDS, ...UNKNOWN, ...LIBRARY]),
      "/knowledge/courses/thinking/some-course": "/studentdash",
      "/chats/some-room": "/chats/some-room",
      ...SIGNED_IN_PAGES,
    },
  },
  {
    name: "who is a mentor",
    make: async () => await makeAccount("onboarded", "mentor-access"),
    journeys: {
      ...allTo("/mentordash", [...AUTH_PAGES, ...DASHBOARDS, ...UNKNOWN, ...LIBRARY]),
      "/learning": "/learning/submissions",
      ...SIGNED_IN_PAGES,
    },
  },
  {
    name: "whose membership has lapsed",
    make: async () => {
      const account = await makeAccount("onboarded");
      await endMembership(account);
      return account;
    },
    journeys: UNPAID_JOURNEYS,
  },
  {
    name: "who is an administrator",
    make: makeAdmin,
    journeys: {
      ...allTo("/admindash", [...AUTH_PAGES, ...DASHBOARDS, ...UNKNOWN]),
      ...Object.fromEntries(LIBRARY.map((address) => [address, address])),
      ...SIGNED_IN_PAGES,
    },
  },
];

test("a visitor sees the open pages, and the way in instead of the rest", async ({ page }) => {
  await expectJourneys(page, {
    "/": "/",
    ...Object.fromEntries(AUTH_PAGES.map((address) => [address, address])),
    "/reset-password": "/reset-password",
    ...allTo("/auth", [
      ...DASHBOARDS,
      ...UNKNOWN,
      ...LIBRARY,
      ...Object.keys(SIGNED_IN_PAGES),
      "/paywall",
      "/success",
      "/onboarding",
      "/chats/some-room",
    ]),
  });
});

for (const { name, make, journeys } of VIEWERS) {
  test(`a member ${name} ends where they belong`, async ({ page, openAs }) => {
    await openAs(await make(), "/account");
    await expectJourneys(page, journeys);
  });
}

test("a level opens its pages and no others", async ({ page, openAs }) => {
  const account = await makeAccount("onboarded");
  await openAs(account, "/knowledge/foundations");
  await expect(page).toHaveURL(/\/studentdash$/);
  await asOwner("update public.user_levels set current_level = 2 where user_id = $1", [account.id]);
  await expectJourneys(page, {
    "/knowledge/foundations": "/knowledge/foundations",
    "/knowledge/courses": "/knowledge/courses",
    "/knowledge/foundations/mindset": "/knowledge/foundations/mindset",
    "/business/foundations": "/studentdash",
    "/wealth/courses": "/studentdash",
  });
});
