import { expect, type Page } from "@playwright/test";

interface Letter {
  to: string;
  text: string;
}

/** The link of the latest letter to an address, once it has arrived: a letter is sent after the answer. */
export async function linkInLetterTo(page: Page, address: string): Promise<string> {
  let link = "";
  await expect
    .poll(async () => {
      const inbox = await page.request.get("/dev/inbox.json");
      const letters = (await inbox.json()) as Letter[];
      const letter = letters.find(({ to }) => to === address);
      link = /https?:\/\/\S+/.exec(letter?.text ?? "")?.[0] ?? "";
      return link;
    })
    .not.toBe("");
  return link;
}
