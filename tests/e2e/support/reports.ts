import type { Locator, Page } from "@playwright/test";

/** From this width on the open report stands beside the rows, on a narrower screen below its own. */
const widthWithPanel = 1024;

/** Opens the report with this reason in the queue on the page. Returns where it is shown. */
export async function openReport(page: Page, reason: string): Promise<Locator> {
  const row = page.getByRole("button", { name: reason });
  await row.waitFor();
  // The oldest is open at once, and pressing its row would close it.
  if ((await row.getAttribute("aria-expanded")) === "false") await row.click();
  const hasPanel = (page.viewportSize()?.width ?? 0) >= widthWithPanel;
  const shown = hasPanel
    ? page.getByRole("region", { name: "The open report" })
    : page.getByRole("listitem").filter({ has: row });
  await shown.getByText(`“${reason}”`).waitFor();
  return shown;
}

/** Takes away what another member wrote, by the button of that name, for a common reason. @returns the reason, as the author reads it */
export async function removeReported(page: Page, button: string): Promise<string> {
  const why = "It's advertising, or the same thing posted again and again.";
  await page.getByLabel("Common reasons").selectOption(why);
  await page.getByRole("button", { name: button }).click();
  return why;
}
