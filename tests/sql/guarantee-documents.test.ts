import { describe, expect } from "vitest";
import { finisher, joiner, letPass, starter } from "./guarantee-world.ts";
import { test, type Row, type World } from "./world.ts";

const bucket = "guarantee-documents";
const upload = `insert into storage.objects (bucket_id, name, owner_id) values ('${bucket}', $1, $2)`;
const readSql = `select name from storage.objects where bucket_id = '${bucket}'`;
const record = "select public.record_guarantee_baseline($1, $2, $3)";
const mine = "select public.my_guarantee() -> 'baseline' ->> 'document_name' as name";
const file = "select public.file_guarantee_claim(150000, 'My payslip of March') as claim";
const open = "select public.open_guarantee_document($1) as name";
const dueSql = "select public.guarantee_documents_to_purge() as name";

const nameOf = (member: string, stamp: number | string = 1, ext = "pdf") =>
  `${member}-baseline-${stamp}.${ext}`;

/** A document on the record of a member. @returns its name. */
async function attach(world: World, member: string, stamp = 1): Promise<string> {
  const name = nameOf(member, stamp);
  await world.store(name, bucket);
  await world.run(
    "owner",
    "update private.guarantee_baselines set document_name = $2 where user_id = $1",
    [member, name],
  );
  return name;
}

async function claim(world: World, member: string): Promise<string> {
  return ((await world.one(member, file))["claim"] as { id: string }).id;
}

const due = async (world: World) =>
  (await world.run("service_role", dueSql)).map(({ name }) => name);

const documentOf = async (world: World, member: string) => (await world.one(member, mine))["name"];

describe("the bucket for documents of baselines", () => {
  test("is private, takes 10 MB and three types", async ({ world }) => {
    const sql = `select * from storage.buckets where id = '${bucket}'`;
    expect(await world.one("owner", sql)).toMatchObject({
      public: false,
      file_size_limit: "10485760",
      allowed_mime_types: ["image/jpeg", "image/png", "application/pdf"],
    });
  });

  test("takes a document in the first week, under its owner's name, and shows it to the owner alone", async ({
    world,
  }) => {
    const [ada, other] = [await joiner(world), await joiner(world)];
    for (const ext of ["jpg", "jpeg", "png", "pdf"]) {
      await world.run(ada, upload, [nameOf(ada, 1, ext), ada]);
    }
    expect(await world.run(ada, readSql)).toHaveLength(4);
    for (const actor of [other, await world.freshAdmin()]) {
      expect(await world.run(actor, readSql)).toEqual([]);
    }
    for (const name of [
      nameOf(other),
      nameOf(ada, ""),
      nameOf(ada, "x1"),
      nameOf(ada, 1, "svg"),
      nameOf(ada, 1, "PNG"),
      `${nameOf(ada)}.exe`,
      `folder/${nameOf(ada)}`,
      nameOf(ada, "1".repeat(21)),
    ]) {
      await world.refused(ada, "42501", upload, [name, ada]);
    }
    await world.refused("anon", "42501", upload, [nameOf(ada, 2), ada]);
    // Without a membership there is no week, and after it there is none.
    const newcomer = await world.newcomer();
    await world.refused(newcomer, "42501", upload, [nameOf(newcomer), newcomer]);
    await world.run(
      "owner",
      "update private.guarantee_terms set opened_at = now() - interval '9 days'",
    );
    await world.run(
      "owner",
      "update private.membership_periods set started_at = now() - interval '8 days' where user_id = $1",
      [other],
    );
    await world.refused(other, "42501", upload, [nameOf(other), other]);
  });

  test("takes five documents of an account, and never another file in the place of one", async ({
    world,
  }) => {
    const ada = await starter(world);
    for (let stamp = 1; stamp <= 5; stamp += 1) {
      await world.run(ada, upload, [nameOf(ada, stamp), ada]);
    }
    for (const actor of [ada, "service_role"]) {
      await world.refused(actor, "42501", upload, [nameOf(ada, 6), ada]);
    }
    for (const change of ["version = 'other'", "name = name || 'x'", "owner_id = null"]) {
      const sql = `update storage.objects set ${change} where name = $1`;
      await world.refused("service_role", "42501", sql, [nameOf(ada, 1)]);
    }
    await world.run("owner", "select set_config('storage.allow_delete_query', 'true', true)");
    expect(
      await world.count(ada, "delete from storage.objects where name = $1", [nameOf(ada)]),
    ).toBe(0);
    // A name that was recorded is not used again, also after its file was deleted.
    await world.run(ada, record, [150_000, "Salary", nameOf(ada, 1)]);
    await world.run("service_role", "delete from storage.objects where name = $1", [
      nameOf(ada, 1),
    ]);
    await world.refused(ada, "42501", upload, [nameOf(ada, 1), ada]);
  });
});

describe("the document of a baseline", () => {
  test("is the member's own upload; a correction without one keeps it", async ({ world }) => {
    const [ada, ben] = [await joiner(world), await joiner(world)];
    await world.run(ada, upload, [nameOf(ada, 1), ada]);
    await world.run(ben, upload, [nameOf(ben, 1), ben]);
    for (const name of [nameOf(ben, 1), nameOf(ada, 2), ""]) {
      await world.refused(ada, "FF684", record, [150_000, "Salary", name]);
    }
    expect(await documentOf(world, ada)).toBeNull();
    await world.run(ada, record, [150_000, "Salary", nameOf(ada, 1)]);
    await world.run(ada, "select public.record_guarantee_baseline(160000, 'Wages')");
    expect(await documentOf(world, ada)).toBe(nameOf(ada, 1));
    await world.run(ada, upload, [nameOf(ada, 3), ada]);
    await world.run(ada, record, [160_000, "Wages", nameOf(ada, 3)]);
    expect(await documentOf(world, ada)).toBe(nameOf(ada, 3));
  });

  test("is opened by administrators while the claim waits, and each opening is recorded", async ({
    world,
  }) => {
    const [ada, ben, cleo] = [
      await finisher(world),
      await finisher(world, 5),
      await finisher(world),
    ];
    for (const each of [ada, ben]) await attach(world, each);
    const admin = await world.freshAdmin();
    const [adas, bens, cleos] = [
      await claim(world, ada),
      await claim(world, ben),
      await claim(world, cleo),
    ];
    const queue = (await world.one(admin, "select public.guarantee_queue() as claims"))["claims"];
    expect(queue).toContainEqual(
      expect.objectContaining({
        id: adas,
        baseline: expect.objectContaining({ has_document: true }) as Row,
      }),
    );
    expect(await world.one(admin, open, [adas])).toEqual({ name: nameOf(ada) });
    // The rules have declined this one, and the other has no document.
    await world.refused(admin, "FF685", open, [bens]);
    await world.refused(admin, "FF685", open, [cleos]);
    await world.run(ben, "select public.appeal_guarantee_claim('I was ill')");
    expect(await world.one(admin, open, [bens])).toEqual({ name: nameOf(ben) });
    await world.run(admin, "select public.decide_guarantee_claim($1, true, 'Seen')", [adas]);
    await world.refused(admin, "FF685", open, [adas]);
    for (const actor of [ada, ben, await world.member("mentor-access")]) {
      await world.refused(actor, "FF002", open, [bens]);
    }
    await world.refused("anon", "42501", open, [bens]);
    expect(
      await world.run(
        "owner",
        `select actor, subject, detail from private.audit_log
         where action = 'guarantee.document_opened' and subject in ($1, $2) order by id`,
        [ada, ben],
      ),
    ).toEqual([
      { actor: admin, subject: ada, detail: { claim: adas, state: "filed" } },
      { actor: admin, subject: ben, detail: { claim: bens, state: "appealed" } },
    ]);
    // Nor does an administrator open their own.
    await world.run("owner", "update private.guarantee_claims set user_id = $2 where id = $1", [
      cleos,
      admin,
    ]);
    await world.run(
      "owner",
      `insert into private.guarantee_baselines (user_id, started_at, monthly_pence, source, terms, document_name)
       select $1, started_at, 1, 'x', terms, $2 from private.guarantee_baselines where user_id = $3`,
      [admin, nameOf(admin), cleo],
    );
    await world.refused(admin, "FF681", open, [cleos]);
  });

  test("is deleted when the guarantee's time is over, and not before", async ({ world }) => {
    const ada = await finisher(world);
    const name = await attach(world, ada);
    await letPass(world, ada, "6 months 25 days");
    expect(await due(world)).not.toContain(name);
    await letPass(world, ada, "7 months 2 days");
    expect(await due(world)).toContain(name);
    // A claim that waits keeps it as long as it takes; a decision for thirty days.
    await letPass(world, ada, "6 months 10 days");
    const id = await claim(world, ada);
    await letPass(world, ada, "9 months");
    expect(await due(world)).not.toContain(name);
    await world.run(
      await world.freshAdmin(),
      "select public.decide_guarantee_claim($1, false, 'No')",
      [id],
    );
    const decided =
      "update private.guarantee_claims set decided_at = now() - $2::interval where id = $1";
    await world.run("owner", decided, [id, "29 days"]);
    expect(await due(world)).not.toContain(name);
    await world.run("owner", decided, [id, "31 days"]);
    expect(await due(world)).toContain(name);
    await world.run("service_role", "select public.record_deleted_guarantee_documents($1)", [
      [name],
    ]);
    expect(await documentOf(world, ada)).toBeNull();
    for (const actor of ["anon", ada, await world.freshAdmin()]) {
      await world.refused(actor, "42501", dueSql);
      await world.refused(actor, "42501", "select public.record_deleted_guarantee_documents('{}')");
    }
  });

  test("that was chosen and never recorded is deleted after a day", async ({ world }) => {
    const ada = await starter(world);
    const [fresh, stale] = [nameOf(ada, 1), nameOf(ada, 2)];
    for (const each of [fresh, stale]) await world.store(each, bucket);
    await world.run(
      "owner",
      "update storage.objects set created_at = now() - interval '25 hours' where name = $1",
      [stale],
    );
    const found = await due(world);
    expect(found).toContain(stale);
    expect(found).not.toContain(fresh);
  });
});
