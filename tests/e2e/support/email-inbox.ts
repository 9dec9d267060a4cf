import { expect, type Page } from "@playwright/test";

interface Email {
  to: string;
  text: string;
}

/** The link of the latest e-mail about an account to an address, once it has arrived: it is sent after the answer. */
export async function findEmailLink(page: Page, address: string): Promise<string> {
  let link = "";
  await expect
    .poll(async () => {
      const inbox = await page.request.get("/dev/inbox.json");
      const emails = (await inbox.json()) as Email[];
      const email = emails.find(({ to, text }) => to === address && text.includes("/confirm?"));
      link = /https?:\/\/\S+\/confirm\?\S+/.exec(email?.text ?? "")?.[0] ?? "";
      return link;
    })
    .not.toBe("");
  return link;
}

/** Opens the link of an e-mail and presses the one button of its page: before, the link does nothing. */
export async function followEmailLink(page: Page, link: string, button: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("main").getByRole("button", { name: button }).click();
}
