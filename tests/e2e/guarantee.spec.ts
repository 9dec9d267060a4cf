import { createAccount, runAsOwner } from "./support/accounts.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a visitor reads the terms, and a member keeps a record of the guarantee", async ({
  page,
  browser,
}) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Read the terms, on one page" }).click();
  await expect(page.getByRole("heading", { name: "The guarantee" })).toBeVisible();
  for (const work of ["12 submissions", "150 messages in chat rooms"]) {
    await expect(page.getByRole("listitem").filter({ hasText: work }).last()).toBeVisible();
  }
  await expectAccessible(page);

  const member = await createAccount("onboarded");
  const mine = await openWindow(browser, member, "/progress#guarantee");
  // Where it once was, as e-mails say, leads to where it is.
  await expect(mine).toHaveURL("/progress/guarantee");
  const panel = mine.getByRole("region", { name: "Your guarantee" });
  await panel.getByRole("button", { name: "Save where I start" }).click();
  await expect(panel.getByText("Enter whole pounds")).toBeVisible();
  await panel.getByLabel("What you earn a month, in pounds").fill("1,500");
  await panel.getByLabel("Where it comes from").fill("Salary");
  await panel.getByRole("button", { name: "Save where I start" }).click();
  await expect(panel.getByText("£15,000")).toBeVisible();
  await expect(panel.getByText("1 of 6")).toBeVisible();
  await expect(panel.getByText("0 of 12")).toHaveCount(2);
  await expectAccessible(mine);

  await panel.getByLabel("What you earned this month, in pounds").fill("1650");
  await panel.getByRole("button", { name: "Check in" }).click();
  await expect(panel.getByText("On record: £1,650.")).toBeVisible();
  await expect(panel.getByRole("listitem").filter({ hasText: "check-ins" })).toContainText(
    "1 of 6",
  );

  await runAsOwner(
    "update private.guarantee_baselines set started_at = now() - interval '6 months 1 day' where user_id = $1",
    [member.id],
  );
  await mine.reload();
  await expect(panel.getByText("Your 6 months are over.")).toBeVisible();
  await panel.getByRole("button", { name: "Make the claim" }).click();
  await expect(panel.getByText("Enter whole pounds")).toBeVisible();
  await panel.getByLabel("What you earned in the last month, in pounds").fill("1700");
  await panel.getByLabel("What shows this income").fill("My March payslip");
  await panel.getByRole("button", { name: "Make the claim" }).click();
  await expect(panel.getByText("Your claim was declined")).toBeVisible();
  await expect(panel.getByText("Not met: Monthly check-ins (1 of 6)")).toBeVisible();
  await expectAccessible(mine);
  await panel.getByLabel("What was overlooked").fill("I was in hospital");
  await panel.getByRole("button", { name: "Appeal" }).click();
  await expect(panel.getByText("Your appeal is waiting for a decision")).toBeVisible();
});
