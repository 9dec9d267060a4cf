import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { finishOnboarding, onePixelPng } from "../../tools/demo/join.ts";
import { postPicture } from "../security/message-picture.ts";
import { administrator, member as anotherMember } from "../security/members.ts";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { testPassword } from "../support/clients.ts";
import { offeredCourseSlug } from "../support/course-offers.ts";
import { enrollSecondFactor } from "../support/second-factor.ts";

/** Texts of one account that occur nowhere else in the product. */
export type Marks = ReturnType<typeof marksOf>;

/** Texts that end in `name`, so that those of two accounts differ. */
export function marksOf(name: string) {
  return {
    firstName: `Zephyrinette${name}`,
    lastName: `Quillfeather${name}`,
    occupation: `Vexillologist${name}`,
    bio: `Bumbershootery${name}`,
    answer: `Flibbertigibbet${name}`,
    title: `Snollygoster${name}`,
    text: `Widdershinsly${name}`,
    comment: `Taradiddlesome${name}`,
    message: `Borborygmically${name}`,
    alt: `Lollygagger${name}`,
    direct: `Hobbledehoyish${name}`,
    post: `Mumpsimus${name}`,
    report: `Gobbledygookish${name}`,
    metadata: `Kerfufflement${name}`,
    device: `Collywobblesphone${name}`,
    note: `Absquatulation${name}`,
  };
}

function expectDone({ error }: { error: { message: string } | null }, what: string): void {
  expect(error?.message, what).toBeUndefined();
}

async function write(member: Payer, table: string, row: Record<string, unknown>): Promise<void> {
  expectDone(await member.client.from(table).insert({ user_id: member.id, ...row }), table);
}

async function call(member: Payer, name: string, args: Record<string, unknown>): Promise<void> {
  expectDone(await member.client.rpc(name, args), name);
}

/** Does what a member can do, so that every table with something of theirs has something. */
export async function liveHere(billing: BillingFixture, ada: Payer, marks: Marks): Promise<void> {
  const { host } = billing;
  // She buys a course before she becomes a member.
  const slug = await offeredCourseSlug(billing);
  const bought = { slug, amount_pence: 4000, payment_method_id: "pm_card_visa" };
  expect((await billing.call(ada.client, "stripe-buy-course", bought)).status).toBe(200);
  const [lesson] = await billing.sql<{ id: string }>(
    "select o.free_module_id as id from private.course_offers o where o.slug = $1",
    [slug],
  );
  await call(ada, "complete_bought_lesson", { module: lesson?.id });
  await billing.pay(ada, studentPlan);
  await finishOnboarding(ada.client, ada.id, { ...marks });
  const payslip = `${ada.id}-baseline-1.png`;
  const baselineFiles = ada.client.storage.from("guarantee-documents");
  expectDone(
    await baselineFiles.upload(payslip, onePixelPng, { contentType: "image/png" }),
    "document of the baseline",
  );
  await call(ada, "record_guarantee_baseline", {
    monthly_pence: 150_000,
    source: "Salary",
    document_name: payslip,
  });
  await call(ada, "record_guarantee_check_in", { monthly_pence: 160_000 });
  await ada.client.auth.updateUser({ data: { nickname: marks.metadata } });
  const admin = await administrator();
  const other = await anotherMember();
  const document = `${ada.id}-verification-4711.png`;
  const image = { contentType: "image/png" };
  const documents = ada.client.storage.from("verification-documents");
  expectDone(await documents.upload(document, onePixelPng, image), "document");
  const picture = `${ada.id}-1.png`;
  const pictures = ada.client.storage.from("learning-images");
  expectDone(await pictures.upload(picture, onePixelPng, image), "picture");
  const portraits = ada.client.storage.from("profile-pictures");
  expectDone(await portraits.upload(picture, onePixelPng, image), "profile picture");
  await call(ada, "set_my_picture", { name: picture });
  expectDone(
    await ada.client
      .from("onboarding_progress")
      .upsert({ user_id: ada.id, current_step: 3, data: { a: marks.answer } }),
    "progress",
  );
  await call(ada, "increment_participant_count", { room_id: "general" });
  await call(ada, "note_my_export", { failed_step: "files" });
  await postPicture(ada, { content: marks.message, alt: marks.alt });
  const { data: theirs } = await other.client
    .from("chat_messages")
    .insert({ user_id: other.id, chat_room_id: "general", content: "Hello" })
    .select("id")
    .single<{ id: string }>();
  const message = theirs?.id ?? "";
  await write(ada, "message_likes", { message_id: message });
  await write(ada, "message_reactions", { message_id: message, reaction: "thanks" });
  await call(ada, "report", { kind: "message", subject_id: message, reason: marks.report });
  const up_to = new Date().toISOString();
  await call(ada, "mark_room_read", { room_id: "general", up_to });
  await write(ada, "learning_submissions", {
    submission_type: "success",
    title: `${marks.title} ${marks.lastName}`,
    content: `${marks.text} ${marks.firstName}`,
    image_url: `/storage/v1/object/public/learning-images/${picture}`,
  });
  const { data: posted } = await other.client
    .from("learning_submissions")
    .insert({ user_id: other.id, submission_type: "pact", title: "Mine", content: "Words" })
    .select("id")
    .single<{ id: string }>();
  const submission = posted?.id ?? "";
  await write(ada, "learning_submission_comments", {
    submission_id: submission,
    content: marks.comment,
  });
  await write(ada, "learning_submission_likes", { submission_id: submission });
  await call(ada, "report", { kind: "submission", subject_id: submission, reason: marks.report });
  // Named by another, whose text would keep the name.
  await billing.sql(
    "insert into private.mentions (submission_id, user_id, name) values ($1, $2, $3)",
    [submission, ada.id, marks.lastName],
  );
  // A pact with a witness, and one that she is asked to witness.
  for (const [author, witness] of [
    [ada, other],
    [other, ada],
  ] as const) {
    await call(author, "make_pact", {
      pact_id: randomUUID(),
      title: "Call ten customers",
      content: "A list of ten names.",
      due_on: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
      witnesses: [witness.id],
    });
  }
  // A conversation, a post and a report of what the other wrote.
  await call(ada, "set_message_choice", { accepts: "known" });
  const answer = randomUUID();
  for (const [sender, recipient, content, id] of [
    [ada, other, marks.direct, randomUUID()],
    [other, ada, "Hello", answer],
  ] as const) {
    await call(sender, "send_direct_message", {
      message_id: id,
      recipient_id: recipient.id,
      content,
    });
  }
  await call(ada, "report", { kind: "direct_message", subject_id: answer, reason: marks.report });
  await call(ada, "save_collaboration_post", {
    post_id: randomUUID(),
    kind: "request",
    title: "A bookkeeper",
    details: marks.post,
    topics: [],
  });
  // A finished course with its certificate, which she shares as a card.
  await billing.sql(
    "insert into public.course_enrollments (user_id, course_id) select $1, id from public.courses limit 1",
    [ada.id],
  );
  await billing.sql(
    "update public.course_enrollments set completed_at = now(), progress_percentage = 100 where user_id = $1",
    [ada.id],
  );
  const certificates = await billing.sql<{ id: string }>(
    "select id from private.certificates where user_id = $1",
    [ada.id],
  );
  await call(ada, "share_card", { certificate_id: certificates[0]?.id });
  await write(ada, "notification_preferences", { kind: "tips", email: false });
  await write(ada, "digest_choices", { frequency: "daily" });
  await call(ada, "save_push_subscription", {
    endpoint: `https://fcm.googleapis.com/${randomUUID()}`,
    p256dh: "B".repeat(87),
    auth_key: "s".repeat(22),
  });
  // Signed in elsewhere, asked for a link, entered wrong passwords, changed the address, set up a second factor.
  const elsewhere = billing.client(host.anonKey);
  await elsewhere.auth.signInWithPassword({ email: ada.email, password: "Wrong-Horse-42!" });
  await elsewhere.auth.resetPasswordForEmail(ada.email);
  await elsewhere.auth.signInWithOtp({ email: ada.email, options: { shouldCreateUser: false } });
  const verification = await billing.sql<{ id: string }>(
    "select id from public.user_verifications where user_id = $1",
    [ada.id],
  );
  expectDone(
    await admin.client.rpc("review_verification", {
      verification_id: verification[0]?.id,
      decision: "rejected",
      reason: "Not readable",
    }),
    "review",
  );
  expectDone(
    await admin.client.rpc("add_member_note", { member: ada.id, note: marks.note }),
    "note",
  );
  await enrollSecondFactor(ada.client);
  await call(ada, "generate_recovery_codes", {});
  await fetch(`${host.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: host.anonKey, "user-agent": marks.device },
    body: JSON.stringify({ email: ada.email, password: testPassword }),
  });
}

/** Finds a text in every column of every table, whatever its type. */
export async function tablesWith(
  sql: BillingFixture["sql"],
  needles: Readonly<Record<string, string>>,
): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    for (const [what, needle] of Object.entries(needles)) {
      const [row] = await sql<{ held: boolean }>(
        `select exists (select from ${name} t where position(lower($1) in lower(t::text)) > 0) as held`,
        [needle],
      );
      if (row?.held === true) found.push(`${name}: ${what}`);
    }
  }
  return found.toSorted();
}
