import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { completeOnboarding, ONE_PIXEL_PNG } from "../../tools/demo/join.ts";
import { administrator, member as anotherMember } from "../security/members.ts";
import { BillingFixture, STUDENT, type Payer } from "../support/billing.ts";
import { PASSWORD } from "../support/clients.ts";
import { enrollSecondFactor } from "../support/second-factor.ts";

const host = inject("host");
let billing: BillingFixture;
beforeAll(() => {
  billing = new BillingFixture(host, inject("sandbox"));
});
afterAll(async () => await billing.close());

/** Texts that occur nowhere else in the product. */
const marks = {
  firstName: "Zephyrinette",
  lastName: "Quillfeather",
  occupation: "Vexillologist",
  bio: "Bumbershootery",
  answer: "Flibbertigibbet",
  title: "Snollygoster",
  text: "Widdershinsly",
  comment: "Taradiddlesome",
  message: "Borborygmically",
  report: "Gobbledygookish",
  metadata: "Kerfufflement",
  device: "Collywobblesphone",
};

/** What a rule keeps after a deletion, as docs/subsystems/access.md lists it: the account's id, and nothing else. */
const kept: Readonly<Record<string, readonly string[]>> = {
  "private.audit_log": ["id"],
  // Broadcasts of who came and typed, for three days.
  "realtime.messages": ["id"],
};

/** Files that may keep the data: the offline card provider stands for a company with its own records. */
const keptFiles = ["sandbox.json"];

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
async function liveHere(ada: Payer): Promise<void> {
  await billing.pay(ada, STUDENT);
  await completeOnboarding(ada.client, ada.id, { ...marks });
  await ada.client.auth.updateUser({ data: { nickname: marks.metadata } });
  const admin = await administrator();
  const other = await anotherMember();
  const document = `${ada.id}-verification-4711.png`;
  const image = { contentType: "image/png" };
  const documents = ada.client.storage.from("verification-documents");
  expectDone(await documents.upload(document, ONE_PIXEL_PNG, image), "document");
  const picture = `${ada.id}-1.png`;
  const pictures = ada.client.storage.from("learning-images");
  expectDone(await pictures.upload(picture, ONE_PIXEL_PNG, image), "picture");
  expectDone(
    await ada.client
      .from("onboarding_progress")
      .upsert({ user_id: ada.id, current_step: 3, data: { a: marks.answer } }),
    "progress",
  );
  await call(ada, "increment_participant_count", { room_id: "general" });
  await write(ada, "chat_messages", { chat_room_id: "general", content: marks.message });
  const { data: theirs } = await other.client
    .from("chat_messages")
    .insert({ user_id: other.id, chat_room_id: "general", content: "Hello" })
    .select("id")
    .single<{ id: string }>();
  const message = theirs?.id ?? "";
  await write(ada, "message_likes", { message_id: message });
  await call(ada, "report_message", { message_id: message, reason: marks.report });
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
  await write(ada, "notification_preferences", { kind: "tips", email: false });
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
  await enrollSecondFactor(ada.client);
  await call(ada, "generate_recovery_codes", {});
  await fetch(`${host.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: host.anonKey, "user-agent": marks.device },
    body: JSON.stringify({ email: ada.email, password: PASSWORD }),
  });
}

/** Finds a text in every column of every table, whatever its type. */
async function tablesWith(needles: Readonly<Record<string, string>>): Promise<string[]> {
  const tables = await billing.sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    for (const [what, needle] of Object.entries(needles)) {
      const [row] = await billing.sql<{ held: boolean }>(
        `select exists (select from ${name} t where position(lower($1) in lower(t::text)) > 0) as held`,
        [needle],
      );
      if (row?.held === true) found.push(`${name}: ${what}`);
    }
  }
  return found.toSorted();
}

/** Files below a folder that hold or are named after one of the texts; the database's own files aside. */
async function filesWith(folder: string, needles: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of await readdir(folder, { recursive: true })) {
    const full = join(folder, path);
    const isFile = await stat(full).then(
      (file) => file.isFile(),
      () => false,
    );
    if (!isFile || /^(postgres|pgdata)\//.test(path)) continue;
    const content = (await readFile(full, "latin1")).toLowerCase();
    if (needles.some((needle) => path.includes(needle) || content.includes(needle))) {
      found.push(path);
    }
  }
  return found;
}

describe("after an account was deleted", () => {
  it("no table and no file names the person, except where a rule keeps it", async () => {
    const ada = await billing.payer();
    await liveHere(ada);
    const needles = { id: ada.id, email: ada.email, ...marks };
    const before = await tablesWith(needles);
    // What is looked for must have been there, or not finding it would say nothing.
    for (const table of [
      "auth.audit_log_entries: email",
      "auth.mfa_factors: id",
      "auth.one_time_tokens: email",
      "auth.sessions: device",
      "auth.users: metadata",
      "private.recovery_codes: id",
      "private.search_documents: text",
      "private.search_words: lastName",
      "private.search_words: title",
      "public.chat_messages: message",
      "public.learning_submission_comments: comment",
      "public.learning_submissions: title",
      "public.onboarding_progress: answer",
      "public.profiles: bio",
      "public.user_verifications: id",
      "storage.objects: id",
    ]) {
      expect(before).toContain(table);
    }
    expect(await filesWith(host.dataDir, [ada.id])).not.toEqual([]);

    const { status } = await billing.call(ada.client, "delete-my-account", { password: PASSWORD });
    expect(status).toBe(200);
    await billing.deliverWebhooks();

    const after = await tablesWith(needles);
    const rules = Object.entries(kept).flatMap(([table, what]) =>
      what.map((one) => `${table}: ${one}`),
    );
    expect(after.filter((found) => !rules.includes(found))).toEqual([]);
    const texts = Object.values(needles).map((text) => text.toLowerCase());
    const files = await filesWith(host.dataDir, texts);
    expect(files.filter((file) => !keptFiles.includes(file))).toEqual([]);
  });

  it("the content and the audit log of other accounts stay", async () => {
    const [ada, bob] = [await billing.payer(), await billing.payer()];
    await billing.sql("update auth.users set email = 'a' || email where id = $1", [ada.id]);
    const entries = async (id: string) =>
      await billing.sql("select from auth.audit_log_entries where payload ->> 'actor_id' = $1", [
        id,
      ]);
    const before = await entries(bob.id);
    expect(before).not.toEqual([]);
    await billing.call(ada.client, "delete-my-account", { password: PASSWORD });
    expect(await entries(bob.id)).toHaveLength(before.length);
  });
});
