import type { Page } from "@playwright/test";
import { offerCourse } from "../support/course-offers.ts";
import { createAccount, createAdmin, runAsOwner, type Account } from "./support/accounts.ts";
import { createMember } from "./support/chat.ts";
import { articleDraft, makeDraft, courseDraft, publishText, sendBack } from "./support/drafts.ts";
import { makeShelf, richText } from "./support/library.ts";
import { checkScreens, type ScreenViewer } from "./support/screens.ts";
import { expect } from "./support/test.ts";

/** Ids and codes of what is looked at, by name; known once the viewer was made. */
const made: Record<string, string> = {};

/** The address with the id in place of `{name}`. */
function at(path: string): () => string {
  return () => path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => made[name] ?? "");
}

/** Code of the member's affiliate link. */
async function affiliateCode(account: Account): Promise<string> {
  await runAsOwner("select private.ensure_affiliate($1)", [account.id]);
  const [row] = await runAsOwner("select code from private.affiliates where affiliate_id = $1", [
    account.id,
  ]);
  return String(row?.["code"]);
}

/** A mentor with a course and an article that a student takes, a draft that was sent back, and a course on sale. */
async function makeMentor(): Promise<Account> {
  const shelf = await makeShelf("general");
  const [mentor, admin, student] = await Promise.all([
    createAccount("onboarded", "mentor-access"),
    createAdmin(),
    createMember("Ada", 2),
  ]);
  const lessons = ["Begin", "Go on"];
  const returned = { ...articleDraft(shelf, "Everything a text can hold", richText), slug: "all" };
  const [article, course, draft, courseInWork, offer] = await Promise.all([
    publishText(mentor, admin, "article", articleDraft(shelf, "A plan for Monday", "A text.")),
    publishText(mentor, admin, "course", courseDraft(shelf, "Study", lessons)),
    makeDraft(mentor, "article", returned),
    makeDraft(mentor, "course", { ...courseDraft(shelf, "Later", lessons), slug: "later" }),
    offerCourse(runAsOwner, mentor.id),
  ]);
  await sendBack(mentor, admin, draft);
  const taken = { user_id: student.id, course_id: course };
  expect((await student.client.from("course_enrollments").insert(taken)).error).toBeNull();
  const asked = { article_id: article, question: "Why Monday?" };
  expect((await student.client.rpc("ask_question", asked)).error).toBeNull();
  await runAsOwner(
    `insert into private.content_ratings (user_id, article_id, stars, sentence)
     values ($1, $2, 4, 'Short and true.')`,
    [student.id, article],
  );
  Object.assign(made, { article, course, draft, courseInWork, sale: offer.slug });
  return mentor;
}

/** A member with a conversation, a post, a notification, a certificate and a course that was bought. */
async function makeMember(): Promise<Account> {
  const [ada, tom, mentor] = await Promise.all([
    createMember("Ada"),
    createMember("Tom"),
    createAccount("onboarded", "mentor-access"),
  ]);
  const offer = await offerCourse(runAsOwner, mentor.id);
  const post = {
    post_id: crypto.randomUUID(),
    kind: "request",
    title: "A bookkeeper in Leeds",
    details: "Two hours a month.",
    topics: ["bookkeeping"],
  };
  expect((await tom.client.rpc("save_collaboration_post", post)).error).toBeNull();
  const words = { recipient_id: ada.id, content: "Have a look at https://example.com" };
  const sent = await tom.client.rpc("send_direct_message", {
    message_id: crypto.randomUUID(),
    ...words,
  });
  expect(sent.error).toBeNull();
  const [certificate] = await runAsOwner(
    `insert into private.certificates (user_id, member_name, course_title, completed_at)
     values ($1, 'Ada Whitfield', 'Study', now()) returning id, code`,
    [ada.id],
  );
  await runAsOwner(
    `with bought as (
       insert into private.course_purchases (user_id, course_id, course_title, amount_pence, seller_id,
         share_basis_points, referral_basis_points, state, payment_intent_id)
       values ($1::uuid, $2, 'Letters That Get Answers', 4000, $3, 7000, 0, 'paid', 'pi_' || $1::uuid) returning payment_intent_id as intent
     )
     insert into private.billing_charges (charge_id, customer_id, is_refunded, amount, payment_intent_id)
     select 'ch_' || $1::uuid, c.customer_id, false, 4000, b.intent
     from bought b, public.stripe_customers c where c.user_id = $1::uuid`,
    [ada.id, offer.id, mentor.id],
  );
  Object.assign(made, {
    tom: tom.id,
    bought: offer.id,
    certificate: String(certificate?.["id"]),
    code: String(certificate?.["code"]),
  });
  return ada;
}

async function editor(page: Page): Promise<void> {
  await expect(page.getByRole("textbox", { name: "Article", exact: true })).toBeVisible();
}

async function openBell(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Notifications/ }).click();
  const bell = page.getByRole("dialog", { name: "Notifications" });
  await expect(bell.getByRole("link").first()).toBeVisible();
}

const viewers: ScreenViewer[] = [
  {
    name: "a mentor",
    make: makeMentor,
    screens: [
      ...["/mentordash", "/studio", "/studio/import", "/studio/analytics"].map((path) => ({
        path,
      })),
      { path: at("/studio/{draft}"), prepare: editor },
      { path: at("/studio/{courseInWork}") },
      { path: at("/studio/{draft}/preview") },
      { path: at("/studio/analytics/{course}") },
      { path: at("/studio/analytics/articles/{article}") },
      ...["/studio/selling", "/studio/training", "/affiliates"].map((path) => ({ path })),
      { path: at("/c/{sale}/buy") },
    ],
  },
  {
    name: "a member among others",
    make: makeMember,
    screens: [
      ...["/members", "/messages", "/collaborate", "/affiliates"].map((path) => ({ path })),
      { path: at("/members/{tom}") },
      { path: at("/messages/{tom}") },
      { path: "/achievements", as: "the open bell", prepare: openBell },
      { path: at("/certificates/{certificate}") },
      { path: at("/verify/{code}") },
      { path: "/your-courses" },
      { path: at("/your-courses/{bought}") },
    ],
  },
  {
    name: "a visitor who was invited",
    make: async () => {
      const mentor = await createAccount("onboarded", "mentor-access");
      const { slug } = await offerCourse(runAsOwner, mentor.id);
      Object.assign(made, { offer: slug, invitation: await affiliateCode(mentor) });
      return null;
    },
    screens: [{ path: at("/c/{offer}") }, { path: at("/join/{invitation}") }],
  },
];

checkScreens(viewers);
