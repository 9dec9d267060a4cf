import type { Page } from "@playwright/test";
import {
  runAsOwner,
  createAccount,
  createAdmin,
  createSubscriber,
  type Account,
} from "./support/accounts.ts";
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

/** Where everybody ends who belongs to one place and may not see these. */
function allTo(end: string, addresses: readonly string[]): Record<string, string> {
  return Object.fromEntries(addresses.map((address) => [address, end]));
}

const libraryPath = ["/knowledge/foundations", "/business/courses", "/wealth/foundations"];

interface Viewer {
  name: string;
  make: () => Promise<Account>;
  /** One address of each kind: `decide-access.test.ts` has every address for every viewer. */
  journeys: Record<string, string>;
}

const unpaidJourneys = {
  ...allTo("/paywall", ["/auth", "/studentdash", "/nowhere", "/onboarding"]),
  "/paywall": "/paywall",
  "/success": "/success",
};

const viewers: Viewer[] = [
  {
    name: "who has not paid",
    make: async () => await createAccount("signed-up"),
    journeys: {
      ...unpaidJourneys,
      "/knowledge/foundations": "/paywall",
      "/subscriptions": "/subscriptions",
    },
  },
  {
    name: "who has paid but not finished onboarding",
    make: async () => await createAccount("paid"),
    journeys: {
      ...allTo("/onboarding", ["/signin", "/mentordash", "/dashboard", "/paywall"]),
      "/onboarding": "/onboarding",
      "/knowledge/foundations": "/onboarding",
      "/verification": "/verification",
    },
  },
  {
    name: "who is a student at level 1",
    make: async () => await createAccount("onboarded"),
    journeys: {
      ...allTo("/studentdash", ["/signup", "/admindash", "/dashboard", ...libraryPath]),
      "/knowledge/courses/thinking/some-course": "/studentdash",
      "/chats/some-room": "/chats/some-room",
      "/progress": "/progress",
    },
  },
  {
    name: "who is a mentor",
    make: async () => await createAccount("onboarded", "mentor-access"),
    journeys: {
      ...allTo("/mentordash", ["/adminlogin", "/studentdash", "/nowhere", "/business/courses"]),
      "/learning": "/learning/submissions",
      "/learning/create": "/learning/create",
    },
  },
  {
    name: "whose membership has lapsed",
    make: async () => {
      const account = await createSubscriber();
      await endMembership(account);
      return account;
    },
    journeys: { ...unpaidJourneys, "/chats": "/chats" },
  },
  {
    name: "who is an administrator",
    make: createAdmin,
    journeys: {
      ...allTo("/admindash", ["/auth", "/mentordash", "/dashboard"]),
      ...Object.fromEntries(libraryPath.map((address) => [address, address])),
      "/chats": "/chats",
    },
  },
];

test("a visitor sees the open pages, and the way in instead of the rest", async ({ page }) => {
  const authPages = ["/auth", "/signup", "/signin", "/adminlogin"];
  await expectJourneys(page, {
    "/": "/",
    ...Object.fromEntries(authPages.map((address) => [address, address])),
    "/reset-password": "/reset-password",
    ...allTo("/auth", ["/studentdash", "/nowhere", "/knowledge/foundations", "/chats"]),
    ...allTo("/auth", ["/paywall", "/onboarding"]),
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
