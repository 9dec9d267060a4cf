import { describe, expect } from "vitest";
import { test, type World } from "./world.ts";

const review = "select public.review_verification($1, $2, $3)";
const statusSql = "select * from public.user_verifications where id = $1";

describe("reviewing a document", () => {
  test("approves it, with the time and an audit entry", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    const row = await world.handIn(id);
    await world.approve(admin, row["id"]);
    const seen = await world.one(id, statusSql, [row["id"]]);
    expect(seen).toMatchObject({ status: "approved", rejected_reason: null });
    expect(seen["verified_at"]).toBeInstanceOf(Date);
    expect(seen["reviewed_at"]).toEqual(seen["verified_at"]);
    const entry = "select * from private.audit_log where subject = $1 order by id desc limit 1";
    expect(await world.one("owner", entry, [id])).toMatchObject({
      actor: admin,
      action: "verification.approved",
      detail: { verification_id: row["id"], before: "pending", after: "approved" },
    });
  });

  test("rejects it with a reason the member reads", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    const row = await world.handIn(id);
    await world.run(admin, review, [row["id"], "rejected", "  The photo is blurred.  "]);
    expect(await world.one(id, statusSql, [row["id"]])).toMatchObject({
      status: "rejected",
      rejected_reason: "The photo is blurred.",
      verified_at: null,
    });
    const entry = "select * from private.audit_log where subject = $1";
    expect(await world.one("owner", entry, [id])).toMatchObject({
      action: "verification.rejected",
      detail: { verification_id: row["id"], reason: "The photo is blurred." },
    });
  });

  test("is refused to members, mentors, the owner of the document and visitors", async ({
    world,
  }) => {
    const id = await world.newcomer();
    const row = await world.handIn(id);
    for (const actor of [id, await world.member(), await world.member("mentor-access")]) {
      await world.refused(actor, "FF002", review, [row["id"], "approved", null]);
      const direct = "select private.review_verification($1, $2, $3, null, null)";
      await world.refused(actor, "FF002", direct, [row["id"], "approved", null]);
    }
    await world.refused("anon", "42501", review, [row["id"], "approved", null]);
    expect(await world.one("owner", statusSql, [row["id"]])).toMatchObject({ status: "pending" });
  });

  test("needs a known decision, and a reason of limited length for a rejection", async ({
    world,
  }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    const row = await world.handIn(id);
    await world.refused(admin, "FF122", review, [row["id"], "maybe", null]);
    await world.refused(admin, "FF122", review, [row["id"], "pending", null]);
    await world.refused(admin, "FF122", review, [row["id"], null, null]);
    await world.refused(admin, "FF123", review, [row["id"], "rejected", null]);
    await world.refused(admin, "FF123", review, [row["id"], "rejected", "  "]);
    await world.refused(admin, "FF123", review, [row["id"], "rejected", "x".repeat(1001)]);
    expect(await world.one("owner", statusSql, [row["id"]])).toMatchObject({ status: "pending" });
  });

  test("happens once", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    const row = await world.handIn(id);
    await world.approve(admin, row["id"]);
    await world.refused(admin, "FF121", review, [row["id"], "rejected", "Changed my mind"]);
    await world.refused(admin, "FF121", review, [await world.account(), "approved", null]);
    expect(await world.one("owner", statusSql, [row["id"]])).toMatchObject({ status: "approved" });
  });

  test("flags the account after the fifth rejection, not after the fourth", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    const flags = "select reason from private.account_flags where user_id = $1";
    await world.reject(id, 4, admin);
    expect(await world.run("owner", flags, [id])).toEqual([]);
    const fifth = await world.handIn(id, "90");
    await world.run(admin, review, [fifth["id"], "rejected", "Expired"]);
    expect(await world.run("owner", flags, [id])).toEqual([
      { reason: "verification_attempts_exhausted" },
    ]);
  });
});

describe("the reviewed document", () => {
  const open = "select public.open_verification_document($1)";
  const approve = "select public.review_verification($1, 'approved', null, $2, $3)";
  const pin = "select * from private.document_pins where verification_id = $1";
  const sha256 = "a".repeat(64);

  /** A submitted document, stored as the storage service does. */
  async function handedIn(world: World, id: string) {
    const name = `${id}-verification-1.png`;
    const stored = await world.one(
      "owner",
      `insert into storage.objects (bucket_id, name, owner_id, version, metadata)
         values ('verification-documents', $1, $2, gen_random_uuid()::text, '{"eTag": "\\"one\\"", "size": 1}')
         returning id, version`,
      [name, id],
    );
    const row = await world.insert(id, "user_verifications", {
      user_id: id,
      document_type: "passport",
      document_url: name,
      status: "pending",
    });
    return { id: row["id"], name, stored };
  }

  test("is pinned when it is submitted, and named in the approval", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    const document = await handedIn(world, id);
    const { version } = document.stored;
    expect(await world.one("owner", pin, [document.id])).toMatchObject({
      object_id: document.stored["id"],
      version,
      etag: '"one"',
    });
    // The version alone can be read from the queue; this administrator must have opened it.
    await world.run(await world.admin(), open, [document.id]);
    await world.refused(admin, "FF126", approve, [document.id, version, sha256]);
    await world.run(admin, open, [document.id]);
    await world.refused(admin, "FF126", approve, [document.id, null, null]);
    await world.refused(admin, "FF126", approve, [document.id, "another", sha256]);
    await world.refused(admin, "23514", approve, [document.id, version, "not a hash"]);
    await world.run(admin, approve, [document.id, version, sha256]);
    expect(await world.one("owner", pin, [document.id])).toMatchObject({ reviewed_sha256: sha256 });
    const entry =
      "select detail from private.audit_log where subject = $1 order by id desc limit 1";
    expect(await world.one("owner", entry, [id])).toMatchObject({
      detail: { document_version: version, document_sha256: sha256 },
    });
  });

  test("cannot be approved once it was changed or lost, and can be rejected", async ({ world }) => {
    const admin = await world.admin();
    const away = "set session_replication_role = replica";
    const back = "set session_replication_role = origin";
    const changes = [
      "update storage.objects set version = 'other' where name = $1",
      `update storage.objects set metadata = '{"eTag": "other"}' where name = $1`,
      "update storage.objects set id = gen_random_uuid() where name = $1",
      "delete from storage.objects where name = $1",
    ];
    for (const change of changes) {
      const id = await world.newcomer();
      const document = await handedIn(world, id);
      // Only possible for an operator who has disabled the triggers.
      await world.run("owner", away);
      await world.run("owner", change, [document.name]);
      await world.run("owner", back);
      const queued = await world.one(
        admin,
        "select document_state from public.verification_queue() where id = $1",
        [document.id],
      );
      const expected = change.startsWith("delete") ? "missing" : "changed";
      expect(queued).toEqual({ document_state: expected });
      for (const version of [document.stored["version"], "other"]) {
        await world.refused(admin, "FF125", approve, [document.id, version, null]);
      }
      await world.run(admin, review, [document.id, "rejected", "Please send it again."]);
    }
  });

  test("is never the reviewer's own", async ({ world }) => {
    const admin = await world.admin();
    const own = await handedIn(world, admin);
    const { version } = own.stored;
    await world.refused(admin, "FF124", approve, [own.id, version, null]);
    await world.refused(admin, "FF124", review, [own.id, "rejected", "Too easy"]);
    const other = await world.admin();
    await world.run(other, open, [own.id]);
    await world.run(other, approve, [own.id, version, null]);
  });

  test("cannot be approved with an opening of an earlier version", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    const document = await handedIn(world, id);
    await world.run(admin, open, [document.id]);
    await world.run("owner", "update private.document_openings set version = 'earlier'");
    await world.refused(admin, "FF126", approve, [document.id, document.stored["version"], null]);
  });

  test("cannot be looked up by members or visitors", async ({ world }) => {
    const member = await world.newcomer();
    const document = await handedIn(world, member);
    for (const actor of [member, "anon", "service_role"] as const) {
      await world.refused(actor, "42501", "select * from private.document_pins");
      await world.refused(actor, "42501", "select private.document_state($1)", [document.id]);
    }
  });
});

describe("the queue", () => {
  const queue = "select * from public.verification_queue()";

  test("shows administrators pending documents, oldest first, with names and earlier rejections", async ({
    world,
  }) => {
    const admin = await world.admin();
    await world.run(
      "owner",
      "update public.user_verifications set status = 'approved' where status = 'pending'",
    );
    const [early, late] = [await world.member(), await world.newcomer()];
    await world.reject(late, 2, admin);
    const row = await world.handIn(late, "99");
    const rows = await world.run(admin, queue);
    expect(rows).toMatchObject([
      { user_id: early, first_name: "Ada", rejections: 0 },
      {
        id: row["id"],
        user_id: late,
        email: `${late}@example.test`,
        first_name: null,
        document_url: `${late}-verification-99.png`,
        document_type: "passport",
        rejections: 2,
      },
    ]);
  });

  test("is refused for others", async ({ world }) => {
    const member = await world.member();
    await world.refused(member, "FF002", queue);
    await world.refused(member, "FF002", "select * from private.verification_queue()");
    await world.refused("anon", "42501", queue);
  });
});

describe("the audit log", () => {
  test("is append-only and hidden from members", async ({ world }) => {
    const admin = await world.admin();
    await world.refused("owner", "P0001", "update private.audit_log set action = 'nothing'");
    await world.refused("owner", "P0001", "delete from private.audit_log");
    await world.refused(admin, "42501", "select * from private.audit_log");
    await world.refused(admin, "42501", "select * from private.account_flags");
    await world.refused(admin, "42501", "select private.audit(null, 'forged', null, '{}')");
  });
});
