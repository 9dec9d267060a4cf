import { describe, expect } from "vitest";
import { test } from "./world.ts";

const upload =
  "insert into storage.objects (bucket_id, name, owner_id) values ('verification-documents', $1, $2)";
const readSql = "select name from storage.objects where bucket_id = 'verification-documents'";

describe("the bucket for identity documents", () => {
  test("is private, takes 10 MB and three types", async ({ world }) => {
    const sql = "select * from storage.buckets where id = 'verification-documents'";
    expect(await world.one("owner", sql)).toMatchObject({
      public: false,
      file_size_limit: "10485760",
      allowed_mime_types: ["image/jpeg", "image/png", "application/pdf"],
    });
  });

  test.for(["jpg", "jpeg", "png", "pdf"])(
    "takes a .%s under its owner's name",
    async (ext, { world }) => {
      const id = await world.newcomer();
      const name = `${id}-verification-1700000000000.${ext}`;
      await world.run(id, upload, [name, id]);
      expect(await world.run(id, readSql)).toEqual([{ name }]);
    },
  );

  test("refuses other names", async ({ world }) => {
    const [id, victim] = [await world.newcomer(), await world.newcomer()];
    const names = [
      `${victim}-verification-1.png`,
      `${id}-verification-.png`,
      `${id}-verification-x1.png`,
      `${id}-verification-1.svg`,
      `${id}-verification-1.PNG`,
      `${id}-verification-1.png.exe`,
      `${id}-verification-1.png/x`,
      `folder/${id}-verification-1.png`,
      `${id}-verification-${"1".repeat(21)}.png`,
      `${id}-verification-1.png\n`,
      "passport.png",
    ];
    for (const name of names) await world.refused(id, "42501", upload, [name, id]);
    await world.refused("anon", "42501", upload, [`${id}-verification-1.png`, id]);
  });

  test("does not open other buckets", async ({ world }) => {
    const id = await world.newcomer();
    await world.run(
      "owner",
      "insert into storage.buckets (id, name) values ('elsewhere', 'elsewhere')",
    );
    const sql = upload.replace("verification-documents", "elsewhere");
    await world.refused(id, "42501", sql, [`${id}-verification-1.png`, id]);
    await world.store(`${id}-verification-1.png`, "elsewhere");
    const read = "select name from storage.objects where bucket_id = 'elsewhere'";
    expect(await world.run(id, read)).toEqual([]);
    expect(await world.run(await world.admin(), read)).toEqual([]);
  });

  test("shows a document to its owner alone, and records each opening by an administrator", async ({
    world,
  }) => {
    const [id, member, admin] = [await world.newcomer(), await world.member(), await world.admin()];
    const { id: verification } = await world.handIn(id, "1");
    const name = `${id}-verification-1.png`;
    const read = `${readSql} and name = $1`;
    const open = "select public.open_verification_document($1) as name";
    const log =
      "select actor, action, subject, detail from private.audit_log where subject = $1 order by id";
    expect(await world.run(id, read, [name])).toHaveLength(1);
    expect(await world.run(admin, read, [name])).toEqual([]);
    for (const actor of [id, member]) await world.refused(actor, "FF002", open, [verification]);
    await world.refused(await world.plainAdmin(), "FF005", open, [verification]);
    await world.refused("anon", "42501", open, [verification]);
    await world.refused(admin, "FF127", open, [member]);
    expect(await world.run("owner", log, [id])).toEqual([]);
    expect(await world.one(admin, open, [verification])).toEqual({ name });
    await world.one(admin, open, [verification]);
    // An opening gives no right to the file: its bytes come from the edge function.
    for (const actor of [admin, member, "anon"])
      expect(await world.run(actor, read, [name]), actor).toEqual([]);
    const entry = {
      actor: admin,
      action: "verification.document_opened",
      subject: id,
      detail: { verification_id: verification, status: "pending" },
    };
    expect(await world.run("owner", log, [id])).toEqual([entry, entry]);
  });

  test("refuses to overwrite, rename or remove a document", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    const name = `${id}-verification-1.png`;
    await world.run(id, upload, [name, id]);
    await world.refused(id, "23505", upload, [name, id]);
    const overwrite = `${upload} on conflict (bucket_id, name) do update set metadata = '{}'`;
    await world.refused(id, "42501", overwrite, [name, id]);
    // Even with the storage service's guard against direct deletes switched off, no policy allows one.
    await world.run("owner", "select set_config('storage.allow_delete_query', 'true', true)");
    for (const actor of [id, admin, "anon"]) {
      const edit = "update storage.objects set name = 'x', metadata = '{}' where name = $1";
      expect(await world.count(actor, edit, [name])).toBe(0);
      expect(await world.count(actor, "delete from storage.objects where name = $1", [name])).toBe(
        0,
      );
    }
    expect(await world.run(id, readSql)).toEqual([{ name }]);
  });

  test("is limited to 20 documents per account", async ({ world }) => {
    const id = await world.newcomer();
    for (let n = 1; n <= 20; n += 1)
      await world.run(id, upload, [`${id}-verification-${n}.png`, id]);
    await world.refused(id, "42501", upload, [`${id}-verification-21.png`, id]);
    const other = await world.newcomer();
    await world.run(other, upload, [`${other}-verification-1.png`, other]);
    // The storage service of a hosted project writes with the server's role.
    await world.refused("service_role", "42501", upload, [`${id}-verification-22.png`, id]);
    await world.run("service_role", upload, [`${other}-verification-2.png`, other]);
  });

  test("takes a submitted name only once", async ({ world }) => {
    const id = await world.newcomer();
    const { document_url: name } = await world.handIn(id);
    await world.run("owner", "select set_config('storage.allow_delete_query', 'true', true)");
    await world.run("service_role", "delete from storage.objects where name = $1", [name]);
    for (const actor of [id, "service_role"]) {
      await world.refused(actor, "42501", upload, [name, id]);
    }
  });

  test("keeps its content unchanged for every role, like the bucket for pictures", async ({
    world,
  }) => {
    const member = await world.member();
    for (const [bucket, name] of [
      ["verification-documents", `${member}-verification-9.png`],
      ["learning-images", `${member}-9.png`],
    ] as const) {
      const insert = "insert into storage.objects (bucket_id, name, owner_id) values ($1, $2, $3)";
      await world.run(member, insert, [bucket, name, member]);
      for (const change of [
        "version = 'other'",
        `metadata = '{"eTag": "other"}'`,
        "name = name || 'x'",
        "bucket_id = 'elsewhere'",
        "owner_id = null",
      ]) {
        const sql = `update storage.objects set ${change} where name = $1`;
        await world.refused("service_role", "42501", sql, [name]);
      }
      const seen = "update storage.objects set last_accessed_at = now() where name = $1";
      expect(await world.count("service_role", seen, [name])).toBe(1);
    }
    await world.run("owner", "insert into storage.buckets (id, name) values ('aside', 'aside')");
    await world.store("stray.png", "aside");
    const move = "update storage.objects set bucket_id = $1 where name = 'stray.png'";
    for (const bucket of ["verification-documents", "learning-images"]) {
      await world.refused("service_role", "42501", move, [bucket]);
    }
  });
});
