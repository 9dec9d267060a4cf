import type { Page } from "@playwright/test";
import { runAsOwner, createAccount, createAdmin, type Account } from "./support/accounts.ts";
import { endMembership } from "./support/card-provider.ts";
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

const signedInPages = {
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

const authPages = ["/auth", "/signup", "/signin", "/adminlogin"];
const dashboards = ["/studentdash", "/mentordash", "/admindash"];
const unknownId = ["/dashboard", "/nowhere"];
const libraryPath = ["/knowledge/foundations", "/business/courses", "/wealth/foundations"];

interface Viewer {
  name: string;
  make: () => Promise<Account>;
  journeys: Record<string, string>;
}

const unpaidJourneys = {
  ...allTo("/paywall", [...authPages, ...dashboards, ...unknownId]),
  "/paywall": "/paywall",
  "/onboarding": "/paywall",
  "/success": "/success",
  ...signedInPages,
};

const viewers: Viewer[] = [
  {
    name: "who has not paid",
    make: async () => await createAccount("signed-up"),
    journeys: { ...unpaidJourneys, "/knowledge/foundations": "/paywall" },
  },
  {
    name: "who has paid but not finished onboarding",
    make: async () => await createAccount("paid"),
    journeys: {
      ...allTo("/onboarding", [...authPages, ...dashboards, ...unknownId, "/paywall"]),
      "/onboarding": "/onboarding",
      "/success": "/success",
      "/knowledge/foundations": "/onboarding",
      ...signedInPages,
    },
  },
  {
    name: "who is a student at level 1",
    make: async () => await createAccount("onboarded"),
    journeys: {
      ...allTo("/studentdash", [...authPages, ...dashboards, ...unknownId, ...libraryPath]),
      "/knowledge/courses/thinking/some-course": "/studentdash",
      "/chats/some-room": "/chats/some-room",
      ...signedInPages,
    },
  },
  {
    name: "who is a mentor",
    make: async () => await createAccount("onboarded", "mentor-access"),
    journeys: {
      ...allTo("/mentordash", [...authPages, ...dashboards, ...unknownId, ...libraryPath]),
      "/learning": "/learning/submissions",
      ...signedInPages,
    },
  },
  {
    name: "whose membership has lapsed",
    make: async () => {
      const account = await createAccount("onboarded");
      await endMembership(account);
      return account;
    },
    journeys: unpaidJourneys,
  },
  {
    name: "who is an administrator",
    make: createAdmin,
    journeys: {
      ...allTo("/admindash", [...authPages, ...dashboards, ...unknownId]),
      ...Object.fromEntries(libraryPath.map((address) => [address, address])),
      ...signedInPages,
    },
  },
];

test("a visitor sees the open pages, and the way in instead of the rest", async ({ page }) => {
  await expectJourneys(page, {
    "/": "/",
    ...Object.fromEntries(authPages.map((address) => [address, address])),
    "/reset-password": "/reset-password",
    ...allTo("/auth", [
      ...dashboards,
      ...unknownId,
      ...libraryPath,
      ...Object.keys(signedInPages),
      "/paywall",
      "/success",
      "/onboarding",
      "/chats/some-room",
    ]),
  });
});

for (const { name, make, journeys } of viewers) {
  test(`a member ${name} ends where they belong`, async ({ page, openAs }) => {
    await openAs(await make(), "/account");
    await expectJourneys(page, journeys);
  });
}

test("a level opens its pages and no others", async ({ page, openAs }) => {
  const account = await createAccount("onboarded");
  await openAs(account, "/knowledge/foundations");
  await expect(page).toHaveURL(/\/studentdash$/);
  await runAsOwner("update public.user_levels set current_level = 2 where user_id = $1", [
    account.id,
  ]);
  await expectJourneys(page, {
    "/knowledge/foundations": "/knowledge/foundations",
    "/knowledge/courses": "/knowledge/courses",
    "/knowledge/foundations/mindset": "/knowledge/foundations/mindset",
    "/business/foundations": "/studentdash",
    "/wealth/courses": "/studentdash",
  });
});
