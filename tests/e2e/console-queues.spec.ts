import {
  createAccount,
  createAdmin,
  createAdminWithoutSecondFactor,
  createSubscriber,
  runAsOwner,
  type Account,
} from "./support/accounts.ts";
import { disputeLatestPayment } from "./support/card-provider.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { sendAndRejectDocuments, sendDocument } from "./support/verifications.ts";

const formPath = { name: "Upload a document" };

test("twenty documents are reviewed by keyboard alone", async ({ page, openAs }) => {
  const admin = await createAdmin();
  const accounts = await Promise.all(
    Array.from({ length: 20 }, async () => await createAccount("signed-up")),
  );
  const documents = await Promise.all(accounts.map(sendDocument));
  // The oldest of all, so that no other test's document comes between.
  await runAsOwner(
    `update public.user_verifications v set submitted_at = '2020-01-01'::timestamptz + make_interval(mins => d.place::int)
       from unnest($1::uuid[]) with ordinality d (id, place) where v.id = d.id`,
    [documents],
  );
  await openAs(admin, "/admindash/queues");
  const row = (n: number) => page.locator(`[data-row="${documents[n] ?? ""}"]`);
  await expect(row(19)).toBeVisible();
  const { keyboard } = page;
  const hasFocus = async (n: number) =>
    await row(n).evaluate((element) => element === document.activeElement);
  for (let press = 0; !(await hasFocus(0)); press += 1) {
    expect(press).toBeLessThan(60);
    await keyboard.press("Tab");
  }
  await keyboard.press("j");
  await expect(row(1)).toBeFocused();
  await keyboard.press("k");
  for (let n = 0; n < 20; n += 1) {
    await expect(row(n)).toBeFocused();
    await keyboard.press("Enter");
    const picture = page.getByRole("img", {
      name: `Identity document of ${accounts[n]?.email ?? ""}`,
    });
    await expect(picture).toBeVisible();
    if (n === 0) {
      await keyboard.press("r");
      await expect(picture).toHaveCSS("transform", /^matrix\(0, 1, -1, 0/);
      await keyboard.press("+");
      await expect(page.getByRole("group", { name: "Picture, 150%" })).toBeVisible();
      await keyboard.press("-");
      await expect(page.getByRole("group", { name: "Picture, 100%" })).toBeVisible();
    }
    const isRejected = n % 4 === 3;
    if (isRejected) {
      await keyboard.press("x");
      await expect(page.getByLabel("Common reasons")).toBeFocused();
      // A list starts its search anew after a second between two keys.
      await keyboard.type("The d");
      await expect(
        page.getByLabel("Common reasons").getByRole("option", { selected: true }),
      ).toHaveText(/^The document has expired/);
      await keyboard.press("Tab");
      await keyboard.press("End");
      await keyboard.type(" It ran out in May.");
      await keyboard.press("Tab");
      await keyboard.press("Tab");
      await keyboard.press("Enter");
    } else {
      await keyboard.press("a");
    }
    const question = page.getByRole("alertdialog");
    await expect(question.getByRole("button", { name: "Not yet" })).toBeFocused();
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await expect(row(n)).toHaveCount(0);
  }
  const { data } = await admin.client
    .from("user_verifications")
    .select("id, status, rejected_reason")
    .in("id", documents)
    .order("submitted_at");
  const reason =
    "The document has expired. Please send one that is valid today. It ran out in May.";
  expect(data).toEqual(
    documents.map((id, n) =>
      n % 4 === 3
        ? { id, status: "rejected", rejected_reason: reason }
        : { id, status: "approved", rejected_reason: null },
    ),
  );
});

test("an account with five rejections is kept closed, and opened again while its member looks on", async ({
  page,
  openAs,
  browser,
}) => {
  const [account, admin] = [await createAccount("paid"), await createAdmin()];
  await sendAndRejectDocuments(account, admin, 5);
  const member = await openWindow(browser, account, "/verification");
  await expect(member.getByText(/^Maximum verification attempts exceeded/)).toBeVisible();
  await openAs(admin, "/admindash/queues?queue=accounts");
  const flag = page.locator("[data-flagged]").filter({ hasText: account.email });
  await expect(flag).toContainText("Attempt 5 is too dark to read.");
  const decide = async (opener: string, decision: string) => {
    await flag.getByRole("button", { name: opener }).click();
    const dialog = page.getByRole("dialog", { name: `Decide about ${account.email}` });
    await dialog.getByLabel("Reason").fill("A call with the member");
    await dialog.getByRole("button", { name: decision }).click();
    await expect(dialog).toBeHidden();
  };
  await decide("Decide", "Keep closed");
  await expect(page.getByRole("region", { name: /^Kept closed/ })).toContainText(account.email);
  await expectAccessible(page);
  await expect(member.getByRole("form", formPath)).toHaveCount(0);
  await decide("Open again", "Let them try again");
  await expect(flag).toHaveCount(0);
  // Without a reload: the member may try again.
  await expect(member.getByRole("form", formPath)).toBeVisible();
  await member.context().close();
});

test("a dispute stands in its queue with the day its evidence is due", async ({ page, openAs }) => {
  const account = await createSubscriber("paid");
  await disputeLatestPayment(account);
  await openAs(await createAdmin(), "/admindash");
  await page
    .getByRole("list", { name: "Queues" })
    .getByRole("link", { name: /Disputes/ })
    .click();
  await expect(page.getByRole("tab", { name: /^Disputes · [1-9]/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  const dispute = page.getByRole("listitem").filter({ hasText: account.email });
  await expect(dispute).toContainText("£50.00");
  await expect(dispute).toContainText("Needs response");
  await expect(dispute.getByText(/^Due \d+ \w+ \d{4}$/)).toBeVisible();
  await expectAccessible(page);
});

test("the console is closed to members, and the queues to administrators without a second factor", async ({
  page,
  openAs,
  browser,
}) => {
  await openAs(await createAccount("onboarded"), "/admindash/queues");
  await expect(page).toHaveURL(/\/studentdash$/);
  const plain = await openWindow(
    browser,
    await createAdminWithoutSecondFactor(),
    "/admindash/queues?queue=accounts",
  );
  await expect(plain.getByRole("heading", { name: "Set up your second factor" })).toBeVisible();
  await expect(plain.getByRole("tab")).toHaveCount(0);
  await plain.context().close();
});

test.describe("an administrator's decision", () => {
  let account: Account;
  test.beforeEach(async ({ openAs, page }) => {
    account = await createAccount("paid");
    await sendDocument(account);
    await openAs(await createAdmin(), "/admindash/queues");
    await page.getByRole("button", { expanded: false, name: account.email }).click();
    const document = page.getByRole("img", { name: `Identity document of ${account.email}` });
    await expect(document).toBeVisible();
    await expect
      .poll(async () => await document.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(1);
  });

  test("approved, once confirmed: the member sees it", async ({ page, browser }) => {
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: `Approve ${account.email}?` });
    await question.getByRole("button", { name: "Not yet" }).click();
    await expect(question).toBeHidden();
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await question.getByRole("button", { name: "Approve document" }).click();
    await expect(page.getByText(`${account.email} is verified.`)).toBeVisible();
    await expect(page.getByRole("button", { name: account.email })).toHaveCount(0);

    const member = await openWindow(browser, account, "/verification");
    await expect(member.getByText("Your identity has been verified successfully!")).toBeVisible();
    await member.context().close();
  });

  test("rejected with a reason, once confirmed: the member reads it", async ({ page, browser }) => {
    await page.getByRole("button", { name: "Reject", exact: true }).click();
    await expect(page.getByText(/^Say why/)).toBeVisible();
    await page.getByLabel("Reason for a rejection").fill("The lower edge is cut off.");
    await page.getByRole("button", { name: "Reject", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: /^Reject the document of/ });
    await expect(question).toContainText("The lower edge is cut off.");
    await question.getByRole("button", { name: "Reject document" }).click();
    await expect(page.getByText(`${account.email} was asked for another document.`)).toBeVisible();

    const member = await openWindow(browser, account, "/verification");
    await expect(member.getByText("The lower edge is cut off.")).toBeVisible();
    await expect(member.getByRole("form", formPath)).toBeVisible();
    await member.context().close();
  });
});
