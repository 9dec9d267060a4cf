import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { libraryPath } from "../../web/src/domain/library-paths.ts";
import {
  adminAuditPath,
  adminMemberPath,
  articleAnalyticsPath,
  conversationPath,
  courseAnalyticsPath,
  memberPath,
  outcomePath,
  paths,
  studioDraftPath,
  studioPreviewPath,
  submissionCommentsPath,
} from "../../web/src/domain/paths.ts";
import { createAccount, createAdmin, type Account } from "./support/accounts.ts";
import { articleDraft, courseDraft, makeDraft, publishText } from "./support/drafts.ts";
import { addArticle, addCourse, makeShelf, richText, setAccountLevel } from "./support/library.ts";
import { addComment, createSubmission } from "./support/progress-events.ts";
import { expect, test } from "./support/test.ts";
import { walk as walkPages, watchErrors } from "./support/translated-walk.ts";
import { translatePage } from "./support/translate-page.ts";

/* Pages of one kind, one after another: they keep what they have and change what differs, in a page that a translation changed. */
test.use({ viewport: { width: 390, height: 844 } });
test.beforeEach(async ({ page }) => await translatePage(page));

const walk = async (page: Page, addresses: readonly string[]) =>
  await walkPages(page, addresses, "h1");
const nobody = "00000000-0000-4000-8000-000000000000";

async function call(by: Account, name: string, values: object): Promise<void> {
  const { error } = await by.client.rpc(name, values);
  expect(error).toBeNull();
}

const twoAccounts = async () => [
  await createAccount("onboarded", "student-access", "Bela"),
  await createAccount("onboarded", "mentor-access", "Cleo"),
];

test("a member goes from item to item, translated", async ({ page, openAs }) => {
  const errors = watchErrors(page);
  const student = await createAccount("onboarded");
  const others = await twoAccounts();
  await setAccountLevel(student, 4);
  const shelf = await makeShelf("general");
  const articles = [
    await addArticle(shelf, "One article", { content: richText }),
    await addArticle(shelf, "Another article"),
  ];
  const courses = [
    await addCourse(shelf, "One course", [{ title: "A" }, { title: "B" }]),
    await addCourse(shelf, "Another course", [{ title: "C" }]),
  ];
  const submissions = [
    await createSubmission(student, "Won"),
    await createSubmission(student, "Lost"),
  ];
  for (const one of submissions) await addComment(student, one, "Well done.");
  const pact_id = randomUUID();
  await call(student, "make_pact", {
    pact_id,
    title: "Call ten customers",
    content: "Ten names.",
    due_on: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10),
    witnesses: others.map(({ id }) => id),
  });
  for (const { id: recipient_id } of others) {
    const values = { message_id: randomUUID(), recipient_id, content: "Hello there" };
    await call(student, "send_direct_message", values);
  }
  await openAs(student, paths.studentDashboard);
  await expect(page.locator("h1 font").first()).toBeVisible();
  const article = (id: string) => libraryPath("general", "articles", shelf.slug, id);
  await walk(page, [
    ...submissions.map(submissionCommentsPath),
    ...articles.map(article),
    ...courses.map((id) => libraryPath("general", "courses", shelf.slug, id)),
    ...others.map(({ id }) => memberPath(id)),
    ...others.map(({ id }) => conversationPath(id)),
    paths.pacts,
    outcomePath(pact_id),
    memberPath(nobody),
    article(nobody),
    "/chats/nowhere",
  ]);
  expect(errors).toEqual([]);
});

test("a mentor goes from text to text, translated", async ({ page, openAs }) => {
  const errors = watchErrors(page);
  const [mentor, admin] = [await createAccount("onboarded", "mentor-access"), await createAdmin()];
  const shelf = async () => await makeShelf("general");
  const drafts = [
    await makeDraft(mentor, "article", articleDraft(await shelf(), "Draft one", richText)),
    await makeDraft(mentor, "course", courseDraft(await shelf(), "Draft two", ["A", "B"])),
  ];
  const course = courseDraft(await shelf(), "My course", ["C"]);
  const article = articleDraft(await shelf(), "My text", richText);
  await openAs(mentor, paths.mentorDashboard);
  await expect(page.locator("h1 font").first()).toBeVisible();
  await walk(page, [
    ...drafts.flatMap((id) => [studioDraftPath(id), studioPreviewPath(id)]),
    courseAnalyticsPath(await publishText(mentor, admin, "course", course)),
    articleAnalyticsPath(await publishText(mentor, admin, "article", article)),
    studioDraftPath(nobody),
  ]);
  expect(errors).toEqual([]);
});

test("an administrator goes from member to member, translated", async ({ page, openAs }) => {
  const errors = watchErrors(page);
  const admin = await createAdmin();
  const ids = (await twoAccounts()).map(({ id }) => id);
  await openAs(admin, paths.adminDashboard);
  await expect(page.locator("h1 font").first()).toBeVisible();
  const pages = [...ids.map(adminMemberPath), ...ids.map(adminAuditPath), ...ids.map(memberPath)];
  await walk(page, [...pages, paths.adminMembers]);
  expect(errors).toEqual([]);
});
