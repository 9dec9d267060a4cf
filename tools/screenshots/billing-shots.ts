import type { Page } from "@playwright/test";
import type { Shot } from "./shot.ts";

/** Opens the form that switches to the other plan, with its price. */
async function openSwitch(page: Page): Promise<void> {
  await page.getByRole("button", { name: "View plans" }).click();
  await page.getByRole("button", { name: /^Switch to / }).click();
  await page.getByRole("button", { name: /^(?:Pay|Switch on) / }).waitFor();
}

/** Shows the membership as if its row differed like this. */
async function showSubscription(page: Page, differs: object): Promise<void> {
  await page.route("**/rest/v1/stripe_subscriptions*", async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as object[];
    await route.fulfill({ response, json: rows.map((row) => ({ ...row, ...differs })) });
  });
  await page.reload();
  await page.locator("[data-status]").waitFor();
}

const planned = { pending_price_id: "price_mentor_access", pending_change_id: "sub_sched_1" };
const inAMonth = () => Math.floor(Date.now() / 1000) + 30 * 24 * 60 * 60;

/** The membership page in states that the demo data does not have. */
export const billingShots: Shot[] = [
  { name: "plan-switch", path: "/subscriptions", prepare: openSwitch },
  {
    name: "plan-switch-unclear",
    path: "/subscriptions",
    prepare: async (page) => {
      await page.route("**/functions/v1/stripe-change-plan", (route) => route.abort());
      await openSwitch(page);
      await page.getByRole("button", { name: /^(?:Pay|Switch on) / }).click();
      await page.getByText("We don't know yet if your switch went through").waitFor();
    },
  },
  {
    name: "plan-switch-planned",
    path: "/subscriptions",
    prepare: async (page) => {
      await showSubscription(page, { ...planned, pending_from: inAMonth() });
      await page.getByRole("button", { name: "Cancel Subscription" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "trial",
    path: "/subscriptions",
    prepare: async (page) => await showSubscription(page, { status: "trialing" }),
  },
  {
    name: "receipt",
    path: "/subscriptions",
    prepare: async (page) => {
      await page
        .getByRole("link", { name: /^Receipt/ })
        .first()
        .click();
      await page.getByRole("heading", { level: 1, name: "Receipt" }).waitFor();
    },
  },
];
