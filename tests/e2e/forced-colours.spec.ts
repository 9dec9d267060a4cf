import type { Locator } from "@playwright/test";
import { createAccount } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

// With the system's own colours, as in the high-contrast themes of Windows: backgrounds and shadows are gone.
test.use({ contextOptions: { forcedColors: "active" } });

/** The colours something is drawn in. */
const coloursOf = async (part: Locator) =>
  await part.evaluate((element) => {
    const { backgroundColor, borderTopColor, color } = getComputedStyle(element);
    return { backgroundColor, borderTopColor, color };
  });

/** What the system calls `Canvas`: the ground of the page. */
const canvasOf = async (part: Locator) =>
  await part.page().evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.cssText = "forced-color-adjust: none; background: Canvas";
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  });

/** Asserts that a checked control differs from one that is not, and that its mark can be seen on it. */
async function expectChecked(on: Locator, off: Locator, mark: "color" | "backgroundColor") {
  await expect(on).toBeChecked();
  await expect(off).not.toBeChecked();
  const [checked, unchecked] = [await coloursOf(on), await coloursOf(off)];
  expect(checked.backgroundColor).not.toBe(unchecked.backgroundColor);
  expect(checked.borderTopColor).not.toBe(await canvasOf(on));
  expect((await coloursOf(on.locator("+ *")))[mark]).not.toBe(checked.backgroundColor);
}

test("the chosen plan is told from the other", async ({ page, openAs }) => {
  await openAs(await createAccount("signed-up"), "/paywall");
  const student = page.getByRole("radio", { name: /^Student Access/ });
  const mentor = page.getByRole("radio", { name: /^Mentor Access/ });
  await student.check();
  await expectChecked(student, mentor, "backgroundColor");
  await mentor.check();
  await expectChecked(mentor, student, "backgroundColor");
});

test("a checked box is told from an empty one", async ({ page, openAs }) => {
  await openAs(await createAccount("onboarded"), "/account#notifications");
  const [first, second] = [page.getByRole("checkbox").first(), page.getByRole("checkbox").nth(1)];
  await first.check();
  await second.uncheck();
  await expectChecked(first, second, "color");
});
