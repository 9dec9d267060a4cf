import { describe, expect } from "vitest";
import { insertStatement, test, type World } from "./world.ts";

async function roleOf(world: World, id: string): Promise<unknown> {
  return (await world.one("owner", "select role from public.profiles where id = $1", [id]))["role"];
}

describe("the role of a plan", () => {
  const set = "select private.set_role_from_plan($1, $2)";

  test("follows the live subscription", async ({ world }) => {
    const id = await world.newcomer();
    const sync = "select private.set_role_from_plan($1, private.plan_role($1))";
    await world.subscribe(id, "mentor-access", "incomplete");
    await world.run("owner", sync, [id]);
    expect(await roleOf(world, id)).toBe("student");
    await world.setSubscriptionStatus(id, "active");
    await world.run("owner", sync, [id]);
    expect(await roleOf(world, id)).toBe("mentor");
    await world.setSubscriptionStatus(id, "canceled");
    await world.run("owner", sync, [id]);
    expect(await roleOf(world, id)).toBe("student");
  });

  test("never touches an administrator and never makes one", async ({ world }) => {
    const admin = await world.admin();
    await world.run("owner", set, [admin, "student"]);
    expect(await roleOf(world, admin)).toBe("admin");
    const id = await world.newcomer();
    await world.refused("owner", "P0001", set, [id, "admin"]);
    await world.refused("owner", "P0001", set, [id, null]);
    expect(await roleOf(world, id)).toBe("student");
  });

  test("cannot be set by members or the server role", async ({ world }) => {
    const id = await world.member();
    for (const actor of [id, "service_role", "anon"]) {
      await world.refused(actor, "42501", set, [id, "mentor"]);
      await world.refused(actor, "42501", "select private.make_admin($1)", [id]);
    }
    expect(await roleOf(world, id)).toBe("student");
  });
});

describe("an administrator", () => {
  test("can be appointed with or without a profile, audited", async ({ world }) => {
    const [fresh, member] = [await world.account(), await world.member()];
    for (const id of [fresh, member]) {
      await world.run("owner", "select private.make_admin($1)", [id]);
      expect(await roleOf(world, id)).toBe("admin");
      const entry = "select * from private.audit_log where subject = $1";
      expect(await world.one("owner", entry, [id])).toMatchObject({
        action: "account.made_admin",
        actor: null,
      });
    }
  });

  test("cannot appoint others through the API", async ({ world }) => {
    const [admin, id] = [await world.admin(), await world.newcomer()];
    const promote = "update public.profiles set role = 'admin' where id = $1";
    expect(await world.count(admin, promote, [id])).toBe(0);
    expect(await roleOf(world, id)).toBe("student");
  });
});

describe("the server role", () => {
  const tableNames = [
    "plans",
    "profiles",
    "stripe_customers",
    "stripe_subscriptions",
    "onboarding_progress",
    "onboarding_responses",
    "user_verifications",
    "user_levels",
    "user_progress",
    "level_requirements",
    "level_completions",
    "learning_submissions",
    "learning_submission_likes",
    "learning_submission_comments",
  ];

  test.for(tableNames)("reads and writes %s, but cannot empty it", async (table, { world }) => {
    const id = await world.member();
    await world.insert(id, "user_progress", { user_id: id });
    await world.upsert(id, "onboarding_progress", { user_id: id });
    await world.run(
      "owner",
      "insert into public.level_completions (user_id, level) values ($1, 1)",
      [id],
    );
    const shared = { user_id: id, submission_type: "success", title: "x", content: "x" };
    const { id: submission_id } = await world.insert(id, "learning_submissions", shared);
    await world.run(
      "owner",
      "update public.learning_submissions set image_url = $2 where id = $1",
      [submission_id, `/storage/v1/object/public/learning-images/${id}-1.png`],
    );
    const mine = { user_id: id, submission_id };
    await world.insert(id, "learning_submission_likes", mine);
    await world.insert(id, "learning_submission_comments", { ...mine, content: "x" });
    expect(
      (await world.run("service_role", `select * from public.${table}`)).length,
    ).toBeGreaterThan(0);
    const columns = await world.run(
      "owner",
      `select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and attidentity = ''`,
      [`public.${table}`],
    );
    const first = String(columns[0]?.["attname"]);
    const same = `update public.${table} set ${first} = ${first}`;
    expect(await world.count("service_role", same)).toBeGreaterThan(0);
    const copy = `insert into public.${table} overriding system value select * from public.${table} limit 0`;
    expect(await world.count("service_role", copy)).toBe(0);
    expect(await world.count("service_role", `delete from public.${table} where false`)).toBe(0);
    await world.refused("service_role", "42501", `truncate public.${table}`);
  });

  test("is not subject to the guards", async ({ world }) => {
    const id = await world.account();
    const row = { id, role: "mentor", onboarding_complete: true };
    expect(await world.insert("service_role", "profiles", row)).toMatchObject(row);
    const level = { user_id: id, current_level: 3, unlocked_levels: [0, 1, 2, 3] };
    expect(await world.insert("service_role", "user_levels", level)).toMatchObject(level);
  });
});

describe("invalid values", () => {
  test("are refused from the server role as well", async ({ world }) => {
    const id = await world.member();
    const role = "update public.profiles set role = 'owner' where id = $1";
    await world.refused("service_role", "23514", role, [id]);
    await world.refused(
      "owner",
      "23514",
      "insert into private.account_flags (user_id, reason) values ($1, 'dislike')",
      [id],
    );
    const flag =
      "insert into private.account_flags (user_id, reason) values ($1, 'verification_attempts_exhausted')";
    await world.run("owner", flag, [id]);
    await world.refused("owner", "23505", flag, [id]);
    const twice =
      "insert into private.required_answers (page_number, question) values (6, 'motivation')";
    await world.refused("owner", "23505", twice);
    const entry =
      "insert into private.audit_log (id, action) overriding system value values (1, 'x')";
    await world.run("owner", `${entry} on conflict do nothing`);
    await world.refused("owner", "23505", entry);
  });

  test.for([
    ["profiles", "id", {}],
    ["stripe_customers", "user_id", { customer_id: "cus_orphan" }],
    ["onboarding_progress", "user_id", {}],
    ["onboarding_responses", "user_id", { page_number: 1, question: "q" }],
    ["user_levels", "user_id", {}],
    ["user_progress", "user_id", {}],
  ] as const)("include rows of %s without an account", async ([table, key, rest], { world }) => {
    const row = { [key]: "00000000-0000-4000-8000-000000000000", ...rest };
    await world.refused("service_role", "23503", ...insertStatement(table, row));
  });
});

test("a trial installation is marked by the operator only, and with known marks", async ({
  world,
}) => {
  const mark = "insert into private.install_marks (mark) values ($1)";
  await world.refused("owner", "23514", mark, ["production"]);
  for (const actor of [await world.admin(), "service_role", "anon"]) {
    await world.refused(actor, "42501", mark, ["demo_accounts"]);
  }
});

describe("deleting an account", () => {
  test("deletes all its rows and keeps the audit log", async ({ world }) => {
    const [id, admin] = [await world.member(), await world.admin()];
    await world.insert(id, "user_progress", { user_id: id });
    await world.upsert(id, "onboarding_progress", { user_id: id });
    const flag =
      "insert into private.account_flags (user_id, reason) values ($1, 'verification_attempts_exhausted')";
    await world.run("owner", flag, [id]);
    const row = await world.one(id, "select id from public.user_verifications");
    await world.approve(admin, row["id"]);
    await world.run("owner", "delete from auth.users where id = $1", [id]);
    const tables = await world.run(
      "owner",
      `select c.conrelid::regclass::text as name, a.attname as column from pg_constraint c
         join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       where c.contype = 'f' and c.confrelid = 'auth.users'::regclass
         and c.connamespace in ('public'::regnamespace, 'private'::regnamespace)`,
    );
    expect(tables.length).toBeGreaterThanOrEqual(8);
    for (const { name, column } of tables) {
      const left = `select * from ${String(name)} where ${String(column)} = $1`;
      expect(await world.run("owner", left, [id]), String(name)).toEqual([]);
    }
    const orphans = "select * from public.stripe_subscriptions where customer_id = $1";
    expect(await world.run("owner", orphans, [`cus_${id}`])).toEqual([]);
    const log = "select action from private.audit_log where subject = $1 order by id";
    expect((await world.run("owner", log, [id])).map((row) => row["action"])).toEqual([
      "verification.document_opened",
      "verification.approved",
      "profile.deleted",
    ]);
  });
});
