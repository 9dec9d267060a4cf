import type { Page } from "@playwright/test";
import { demoAccounts } from "../demo/accounts.ts";
import type { Shot } from "./shot.ts";
import { openDraftReview } from "./studio-shots.ts";

const viewer = demoAccounts.find(({ role }) => role === "admin")?.email;

/** Opens the row whose button has such a name, and waits for its panel. */
function openRow(name: RegExp): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole("button", { name }).first().click();
    await page.getByRole("dialog").waitFor();
    await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  };
}

function screen(name: string, path: string, prepare?: Shot["prepare"]): Shot {
  return {
    name,
    path: `/admindash${path}`,
    ...(viewer && { viewer }),
    ...(prepare && { prepare }),
  };
}

/** The parts of the console, and the panels which their rows open. */
export const consoleShots: Shot[] = [
  screen("console-members", "/members"),
  screen("console-member", "/members", openRow(/Priya Raman/)),
  screen("console-queues", "/queues"),
  screen("console-queues-review", "/queues?queue=review", openDraftReview),
  screen("console-member-mentor", "/members", openRow(/Helen/)),
  screen("console-queues-accounts", "/queues?queue=accounts"),
  screen("console-queues-disputes", "/queues?queue=disputes"),
  screen("console-queues-people", "/queues?queue=reports&kind=profile"),
  screen("console-rooms", "/content"),
  screen("console-room", "/content", openRow(/^General/)),
  screen("console-articles", "/content?part=articles"),
  screen("console-courses", "/content?part=courses"),
  screen("console-money", "/money"),
  screen("console-payment", "/money", openRow(/£/)),
  screen("console-refunds", "/money?view=refunds"),
  screen("console-codes", "/money?view=codes"),
  screen("console-new-code", "/money?view=codes", openRow(/^New code/)),
  screen("console-complimentary", "/money?view=complimentary"),
  screen("console-payouts", "/money?view=payouts"),
  screen("console-guarantee", "/money?view=guarantee"),
  screen("console-failed-events", "/money?view=events"),
  screen("console-settings", "/settings"),
  screen("console-requirement", "/settings", openRow(/^Level 3 Business/)),
  screen("console-emails", "/settings?part=emails"),
  screen("console-email", "/settings?part=emails", openRow(/^Account suspended/)),
  screen("console-audit", "/audit"),
];
