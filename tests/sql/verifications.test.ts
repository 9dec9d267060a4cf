import { describe, expect } from "vitest";
import { connectTestOwner, test, type World } from "./world.ts";

const submit =
  "insert into public.user_verifications (user_id, document_type, document_url, status) values ($1, 'passport', $2, 'pending')";

async function verificationsOf(world: World, id: string) {
  const sql = "select * from public.user_verifications where user_id = $1 order by submitted_at";
  return await world.run("owner", sql, [id]);
}

describe("submitting a document", () => {
  test("works with an uploaded document, which its owner can read", async ({ world }) => {
    const id = await world.newcomer();
    const row = await world.handIn(id, "1700000000000");
    expect(row).toMatchObject({
      user_id: id,
      document_type: "passport",
      document_url: `${id}-verification-1700000000000.png`,
      status: "pending",
      rejected_reason: null,
      verified_at: null,
      reviewed_at: null,
    });
    expect(Number(row["submitted_at"])).toBeGreaterThan(Date.parse("2020-01-01"));
    expect(await world.run(id, "select * from public.user_verifications")).toHaveLength(1);
  });

  test("takes the URL of the document and stores its name", async ({ world }) => {
    const id = await world.newcomer();
    const name = `${id}-verification-1.pdf`;
    await world.store(name);
    const address = `http://127.0.0.1:3000/storage/v1/object/verification-documents/${name}?token=x`;
    await world.run(id, submit, [id, address]);
    expect(await verificationsOf(world, id)).toMatchObject([{ document_url: name }]);
  });

  test("cannot set the status to approved", async ({ world }) => {
    const id = await world.newcomer();
    const document_url = `${id}-verification-1.png`;
    await world.store(document_url);
    const row = { user_id: id, document_type: "passport", document_url, status: "approved" };
    expect(await world.insert(id, "user_verifications", row)).toMatchObject({ status: "pending" });
  });

  test.for(["rejected_reason", "verified_at", "reviewed_at", "submitted_at", "id"])(
    "cannot set %s",
    async (column, { world }) => {
      const id = await world.newcomer();
      const document_url = `${id}-verification-1.png`;
      await world.store(document_url);
      const sql = `insert into public.user_verifications (user_id, document_type, document_url, ${column}) values ($1, 'passport', $2, null)`;
      await world.refused(id, "42501", sql, [id, document_url]);
    },
  );

  test("is refused for another account and for visitors", async ({ world }) => {
    const [victim, mallory] = [await world.newcomer(), await world.member()];
    const name = `${victim}-verification-1.png`;
    await world.store(name);
    await world.refused(mallory, "42501", submit, [victim, name]);
    await world.refused("anon", "42501", submit, [victim, name]);
    expect(await verificationsOf(world, victim)).toEqual([]);
  });

  test("needs an existing document of the caller", async ({ world }) => {
    const [id, other] = [await world.newcomer(), await world.newcomer()];
    const theirs = `${other}-verification-1.png`;
    await world.store(theirs);
    await world.store(`${id}-verification-2.png`, await otherBucket(world));
    const misnamed = [`${id}-selfie.png`, `${id}-verification-1.svg`, `x${id}-verification-1.png`];
    for (const name of misnamed) await world.store(name);
    const bad = [
      `${id}-verification-1.png`,
      `${id}-verification-2.png`,
      theirs,
      ...misnamed,
      "",
      "../../etc/passwd",
    ];
    for (const name of bad) await world.refused(id, "FF113", submit, [id, name]);
    expect(await verificationsOf(world, id)).toEqual([]);
  });

  test("takes only the three kinds of document", async ({ world }) => {
    const id = await world.newcomer();
    await world.store(`${id}-verification-1.png`);
    const sql = submit.replace("'passport'", "'library_card'");
    await world.refused(id, "23514", sql, [id, `${id}-verification-1.png`]);
  });

  test("is refused while another is pending or approved", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    const first = await world.handIn(id, "1");
    await world.store(`${id}-verification-2.png`);
    await world.refused(id, "FF111", submit, [id, `${id}-verification-2.png`]);
    await world.approve(admin, first["id"]);
    await world.refused(id, "FF111", submit, [id, `${id}-verification-2.png`]);
    expect(await verificationsOf(world, id)).toHaveLength(1);
  });

  test("is refused twice in one statement", async ({ world }) => {
    const id = await world.newcomer();
    for (const stamp of [1, 2]) await world.store(`${id}-verification-${stamp}.png`);
    const both = `insert into public.user_verifications (user_id, document_type, document_url)
      select $1::uuid, 'passport', $1::text || '-verification-' || n || '.png' from generate_series(1, 2) n`;
    await world.refused(id, "FF111", both, [id]);
    expect(await verificationsOf(world, id)).toEqual([]);
  });

  test("works after four rejections and is refused after the fifth", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    await world.reject(id, 5, admin);
    await world.store(`${id}-verification-80.png`);
    await world.refused(id, "FF112", submit, [id, `${id}-verification-80.png`]);
    const rejected =
      "select count(*)::int as n from public.user_verifications where status = 'rejected'";
    expect(await world.one(id, rejected)).toEqual({ n: 5 });
  });

  test("does not take the same document a second time", async ({ world }) => {
    const id = await world.newcomer();
    await world.reject(id, 1, await world.admin());
    await world.refused(id, "23505", submit, [id, `${id}-verification-71.png`]);
  });

  test("is limited to one open document for the server role as well", async ({ world }) => {
    const id = await world.newcomer();
    await world.handIn(id, "1");
    await world.refused("service_role", "23505", submit, [id, "another"]);
    await world.refused(
      "service_role",
      "23514",
      "update public.user_verifications set status = 'lost'",
    );
    await world.refused(
      "service_role",
      "23514",
      "update public.user_verifications set status = 'rejected'",
    );
    await world.refused("service_role", "23503", submit, [
      "00000000-0000-4000-8000-000000000000",
      "x",
    ]);
  });
});

async function otherBucket(world: World): Promise<string> {
  await world.run(
    "owner",
    "insert into storage.buckets (id, name) values ('elsewhere', 'elsewhere')",
  );
  return "elsewhere";
}

describe("a submitted document", () => {
  test("cannot be changed or deleted through the API", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    await world.handIn(id);
    for (const actor of [id, admin, "anon"]) {
      await world.refused(
        actor,
        "42501",
        "update public.user_verifications set status = 'approved'",
      );
      await world.refused(actor, "42501", "delete from public.user_verifications");
    }
    expect(await verificationsOf(world, id)).toMatchObject([{ status: "pending" }]);
  });

  test("can be read by its owner and administrators only", async ({ world }) => {
    const [id, member, admin] = [await world.newcomer(), await world.member(), await world.admin()];
    await world.handIn(id);
    const read = "select * from public.user_verifications where user_id = $1";
    expect(await world.run(id, read, [id])).toHaveLength(1);
    expect(await world.run(admin, read, [id])).toHaveLength(1);
    expect(await world.run(member, read, [id])).toEqual([]);
    await world.refused("anon", "42501", read, [id]);
  });
});

describe("two concurrent submissions", () => {
  test("leave one pending document", async ({ expect: expectHere }) => {
    const [setup, first, second] = [
      await connectTestOwner(),
      await connectTestOwner(),
      await connectTestOwner(),
    ];
    const { rows } = await setup.query<{ id: string }>(
      "insert into auth.users (email) values (gen_random_uuid() || '@example.test') returning id",
    );
    const id = rows[0]?.id ?? "";
    try {
      for (const stamp of [1, 2]) {
        await setup.query(
          "insert into storage.objects (bucket_id, name) values ('verification-documents', $1)",
          [`${id}-verification-${stamp}.png`],
        );
      }
      const begin = async (client: typeof first) => {
        await client.query("begin");
        await client.query(
          "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
          [JSON.stringify({ sub: id, role: "authenticated" })],
        );
      };
      await Promise.all([begin(first), begin(second)]);
      await first.query(submit, [id, `${id}-verification-1.png`]);
      const late = second.query(submit, [id, `${id}-verification-2.png`]).then(
        () => "accepted",
        (error: { code?: string }) => error.code,
      );
      await first.query("commit");
      expectHere(await late).toBe("FF111");
      await second.query("rollback");
      const left = await setup.query("select from public.user_verifications where user_id = $1", [
        id,
      ]);
      expectHere(left.rowCount).toBe(1);
    } finally {
      await Promise.all([first.end(), second.end()]);
      await setup.query("delete from auth.users where id = $1", [id]);
      await setup.query(`set storage.allow_delete_query = 'true'`);
      await setup.query("delete from storage.objects where name like $1", [`${id}-%`]);
      await setup.end();
    }
  });
});
