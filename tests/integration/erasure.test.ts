import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { BillingFixture } from "../support/billing.ts";
import { testPassword } from "../support/clients.ts";
import { liveHere, marksOf, tablesWith } from "./lived-account.ts";

const host = inject("host");
let billing: BillingFixture;
beforeAll(() => {
  billing = new BillingFixture(host, inject("sandbox"));
});
afterAll(async () => await billing.close());

/** What a rule keeps after a deletion, as docs/subsystems/access.md lists it: the account's id, and nothing else. */
const kept: Readonly<Record<string, readonly string[]>> = {
  "private.audit_log": ["id"],
  // Broadcasts of who came and typed, for three days.
  "realtime.messages": ["id"],
};

/** Files that may keep the data: the offline card provider stands for a company with its own records. */
const keptFiles = ["sandbox.json"];

/** A line of the log about a request names its path; such lines are written at this level only. */
const debugLevel = 20;

/** Files below a folder that hold or are named after one of the texts. Of the database's own files only its logs are read. */
async function filesWith(folder: string, needles: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of await readdir(folder, { recursive: true })) {
    const full = join(folder, path);
    const isFile = await stat(full).then(
      (file) => file.isFile(),
      () => false,
    );
    if (!isFile || /^postgres\/(?!log\/)/.test(path)) continue;
    const content = (await readFile(full, "latin1")).toLowerCase();
    if (needles.some((needle) => path.includes(needle) || content.includes(needle))) {
      found.push(path);
    }
  }
  return found;
}

/** Lines of the host's log that hold one of the texts, with their level. */
async function logLinesWith(
  needles: readonly string[],
): Promise<{ level: number; line: string }[]> {
  const lines = (await readFile(join(host.dataDir, "..", "host.log"), "utf8")).trim().split("\n");
  return lines
    .filter((line) => needles.some((needle) => line.toLowerCase().includes(needle)))
    .map((line) => ({ level: (JSON.parse(line) as { level: number }).level, line }));
}

describe("after an account was deleted", () => {
  it("no table, no file and no log names the person, except where a rule keeps it", async () => {
    const ada = await billing.payer();
    const marks = marksOf("gone");
    await liveHere(billing, ada, marks);
    const needles = { id: ada.id, email: ada.email, ...marks };
    const before = await tablesWith(billing.sql.bind(billing), needles);
    // What is looked for must have been there, or not finding it would say nothing.
    for (const table of [
      "auth.audit_log_entries: email",
      "auth.mfa_factors: id",
      "auth.one_time_tokens: email",
      "auth.sessions: device",
      "auth.users: metadata",
      "private.bought_lessons: id",
      "private.course_purchases: id",
      "private.mentions: lastName",
      "private.recovery_codes: id",
      "private.search_documents: text",
      "private.search_words: lastName",
      "private.search_words: title",
      "public.chat_messages: alt",
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

    const { status } = await billing.call(ada.client, "delete-my-account", {
      password: testPassword,
    });
    expect(status).toBe(200);
    await billing.deliverWebhooks();

    const after = await tablesWith(billing.sql.bind(billing), needles);
    const rules = Object.entries(kept).flatMap(([table, what]) =>
      what.map((one) => `${table}: ${one}`),
    );
    expect(after.filter((found) => !rules.includes(found))).toEqual([]);
    const texts = Object.values(needles).map((text) => text.toLowerCase());
    const files = await filesWith(host.dataDir, texts);
    expect(files.filter((file) => !keptFiles.includes(file))).toEqual([]);
    const logged = await logLinesWith(texts);
    expect(logged.filter(({ level }) => level > debugLevel)).toEqual([]);
    // The log is read: at the debug level the paths of requests for the account's files are in it.
    expect(logged).not.toEqual([]);
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
    await billing.call(ada.client, "delete-my-account", { password: testPassword });
    expect(await entries(bob.id)).toHaveLength(before.length);
  });
});
