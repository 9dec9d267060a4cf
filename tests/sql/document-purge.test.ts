import { describe, expect } from "vitest";
import { test, type World } from "./world.ts";

const dueSql = "select public.verification_documents_to_purge() as name";
const recordSql = "select public.record_deleted_documents($1)";
const rowSql = "select * from public.user_verifications where id = $1";

async function due(world: World, sql = dueSql, values: unknown[] = []): Promise<unknown[]> {
  return (await world.run("service_role", sql, values)).map((row) => row["name"]);
}

/** A document with a decision of this age. @returns its verification row. */
async function reviewed(world: World, decision: string, age: string) {
  const [id, admin] = [await world.newcomer(), await world.admin()];
  const row = await world.handIn(id);
  const review = "select public.review_verification($1, 'rejected', 'Not readable')";
  if (decision === "approved") await world.approve(admin, row["id"]);
  else await world.run(admin, review, [row["id"]]);
  const since =
    "update public.user_verifications set reviewed_at = now() - $2::interval where id = $1";
  await world.run("owner", since, [row["id"], age]);
  return await world.one("owner", rowSql, [row["id"]]);
}

/** A file in the bucket that was never submitted. */
async function stray(world: World, age: string, bucket?: string): Promise<string> {
  const name = `${await world.newcomer()}-verification-1.png`;
  await world.store(name, bucket);
  const since =
    "update storage.objects set created_at = now() - $2::interval where name = $1 returning name";
  await world.run("owner", since, [name, age]);
  return name;
}

/** Deletes the file as the storage service does. */
async function remove(world: World, name: unknown): Promise<void> {
  await world.run("owner", "select set_config('storage.allow_delete_query', 'true', true)");
  await world.run("owner", "delete from storage.objects where name = $1", [name]);
}

describe("a document is due for deletion", () => {
  test.for([
    ["approved", "29 days", false],
    ["approved", "31 days", true],
    ["rejected", "29 days", false],
    ["rejected", "31 days", true],
  ] as const)("%s %s ago: %s", async ([decision, age, expected], { world }) => {
    const row = await reviewed(world, decision, age);
    expect((await due(world)).includes(row["document_url"])).toBe(expected);
  });

  test("never while it waits for a review", async ({ world }) => {
    const row = await world.handIn(await world.newcomer());
    const old = `update storage.objects set created_at = now() - interval '90 days' where name = $1`;
    await world.run("owner", old, [row["document_url"]]);
    expect(await due(world)).not.toContain(row["document_url"]);
  });

  test("only while it is stored", async ({ world }) => {
    const row = await reviewed(world, "approved", "31 days");
    await remove(world, row["document_url"]);
    expect(await due(world)).not.toContain(row["document_url"]);
  });

  test("30 days after its upload if it was never submitted", async ({ world }) => {
    const [old, fresh] = [await stray(world, "31 days"), await stray(world, "29 days")];
    await world.run(
      "owner",
      "insert into storage.buckets (id, name) values ('elsewhere', 'elsewhere')",
    );
    const elsewhere = await stray(world, "31 days", "elsewhere");
    const names = await due(world);
    expect(names).toContain(old);
    expect(names).not.toContain(fresh);
    expect(names).not.toContain(elsewhere);
  });

  test("also when its account was deleted", async ({ world }) => {
    const row = await reviewed(world, "approved", "1 day");
    const name = row["document_url"];
    const old =
      "update storage.objects set created_at = now() - interval '31 days' where name = $1";
    await world.run("owner", old, [name]);
    expect(await due(world)).not.toContain(name);
    await world.run("owner", "delete from auth.users where id = $1", [row["user_id"]]);
    expect(await due(world)).toContain(name);
  });
});

describe("the list of due documents", () => {
  // Names that sort after every account's, so that documents of other tests are not among them.
  const strays = `insert into storage.objects (bucket_id, name, created_at)
    select 'verification-documents', 'stray-' || n, now() - interval '31 days' from generate_series(1, $1) n`;

  test("comes in batches, each after the last name", async ({ world }) => {
    await world.run("owner", strays, [3]);
    const page = "select public.verification_documents_to_purge($1, 2) as name";
    expect(await due(world, page, ["stray-"])).toEqual(["stray-1", "stray-2"]);
    expect(await due(world, page, ["stray-2"])).toEqual(["stray-3"]);
    expect(await due(world, page, ["stray-3"])).toEqual([]);
  });

  test("starts at the beginning with 100 names by default", async ({ world }) => {
    const row = await reviewed(world, "approved", "31 days");
    await world.run("owner", strays, [100]);
    const names = await due(world);
    expect(names).toHaveLength(100);
    expect(names).toContain(row["document_url"]);
  });

  test("is available to the server role only, like recording deletions", async ({ world }) => {
    const row = await reviewed(world, "approved", "31 days");
    const [owner, admin] = [String(row["user_id"]), await world.admin()];
    for (const actor of ["anon", owner, await world.member(), admin]) {
      for (const schema of ["public", "private"]) {
        const list = `select ${schema}.verification_documents_to_purge('', 100)`;
        await world.refused(actor, "42501", list);
        const record = `select ${schema}.record_deleted_documents($1)`;
        await world.refused(actor, "42501", record, [[row["document_url"]]]);
      }
    }
  });
});

describe("a deleted document", () => {
  test("is audited, and its decision is kept", async ({ world }) => {
    const row = await reviewed(world, "rejected", "31 days");
    await remove(world, row["document_url"]);
    await world.run("service_role", recordSql, [[row["document_url"]]]);
    expect(await world.one("owner", rowSql, [row["id"]])).toEqual(row);
    const entries = await world.run(
      "owner",
      `select actor, action, detail from private.audit_log where subject = $1 and action like '%deleted'`,
      [row["user_id"]],
    );
    const detail = { verification_id: row["id"], document: row["document_url"] };
    expect(entries).toEqual([{ actor: null, action: "verification.document_deleted", detail }]);
  });

  test("is audited by name, also without an account", async ({ world }) => {
    const names = [await stray(world, "31 days"), await stray(world, "31 days")];
    for (const name of names) await remove(world, name);
    await world.run("service_role", recordSql, [names]);
    const entries = await world.run(
      "owner",
      `select subject, detail from private.audit_log where detail ->> 'document' = any ($1) order by detail ->> 'document'`,
      [names],
    );
    const expected = names.toSorted().map((document) => ({ subject: null, detail: { document } }));
    expect(entries).toEqual(expected);
  });
});
