import { randomUUID } from "node:crypto";
import { afterAll, expect, it } from "vitest";
import { ownerPool, signUp } from "../support/clients.ts";
import { savedVersionsOf } from "./saved-versions.ts";

const owner = ownerPool();
afterAll(async () => await owner.end());

/** The largest answer of the REST API. */
const maxAnswerBytes = 8 * 1024 * 1024;

it("is whole for a mentor whose versions are larger than any answer", async () => {
  const mentor = await signUp();
  const profile = { id: mentor.id, onboarding_complete: false, role: "student" };
  expect((await mentor.client.from("profiles").insert(profile)).error).toBeNull();
  const draft = randomUUID();
  await owner.query(
    "insert into public.drafts (id, owner_id, kind, title, version) values ($1, $2, 'article', 'Long', 60)",
    [draft, mentor.id],
  );
  await owner.query(
    `insert into public.draft_versions (draft_id, version, saved_by, title, content)
       select $1, n, $2, 'Save ' || n, repeat(md5(n::text), 6250) from generate_series(1, 60) n`,
    [draft, mentor.id],
  );
  const { data, error } = await mentor.client.rpc("export_my_data");
  expect(error).toBeNull();
  expect(data).toMatchObject({ drafts: [{ id: draft, version: 60 }] });
  const saved = await savedVersionsOf(mentor.client, "draft");
  expect(saved.map(({ version }) => version)).toEqual(
    Array.from({ length: 60 }, (_, at) => at + 1),
  );
  expect(JSON.stringify(saved).length).toBeGreaterThan(maxAnswerBytes);
});
