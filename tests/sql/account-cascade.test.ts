import { describe, expect } from "vitest";
import { insertMessage, joinSql, likeSql, reactSql, readMessage } from "./chat-world.ts";
import { article, atLevel, course, courseOf, openArticle, shelf } from "./library-world.ts";
import { test } from "./world.ts";

/**
 * Triggers that fire when an account is deleted: those for DELETE on tables a cascade reaches, those for UPDATE on
 * tables whose reference is set null, from auth.users onwards. Those of the host itself exist on no hosted project.
 */
const fired = `
  with recursive reached (relation, event) as (
    select 'auth.users'::regclass::oid, 'd'::"char"
    union
    select c.conrelid, case when c.confdeltype = 'c' then 'd'::"char" else 'u'::"char" end
      from reached r
      join pg_constraint c on c.confrelid = r.relation and c.contype = 'f' and c.confdeltype in ('c', 'n', 'd')
     where r.event = 'd'
  )
  select distinct r.relation::regclass::text as relation, t.tgname as trigger,
         t.tgtype & 2 > 0 and r.relation <> 'auth.users'::regclass as before_cascade,
         p.prosecdef and coalesce(p.proconfig @> array['search_path=""'], false) as definer,
         pg_get_triggerdef(t.oid) like '%WHEN ((CURRENT_USER = ANY (%' as asks_first
    from reached r
    join pg_trigger t on t.tgrelid = r.relation and not t.tgisinternal
     and t.tgtype & (case when r.event = 'd' then 8 else 16 end) > 0
    join pg_proc p on p.oid = t.tgfoid and p.pronamespace <> 'host'::regnamespace
   order by 1, 2`;

describe("the auth service", () => {
  test("has no privilege on any table or schema of the product", async ({ world }) => {
    const tables = await world.run(
      "owner",
      `select c.oid::regclass::text as name from pg_class c
        where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'storage'::regnamespace)
          and c.relkind in ('r', 'p', 'v', 'm')
          and has_table_privilege('supabase_auth_admin', c.oid, 'select, insert, update, delete, truncate')`,
    );
    expect(tables).toEqual([]);
    const schema = "select has_schema_privilege('supabase_auth_admin', 'private', 'usage') as may";
    expect(await world.run("owner", schema)).toEqual([{ may: false }]);
  });
});

describe("the triggers of an account deletion", () => {
  test("exist", async ({ world }) => {
    const names = (await world.run("owner", fired)).map(({ trigger }) => trigger);
    expect(names).toContain("articles__one_at_a_time");
  });

  test("need no privilege of the auth service on the product", async ({ world }) => {
    // The auth service deletes as supabase_auth_admin. A trigger before a cascaded change runs as the table's owner, one
    // after it as the role that began: that one is SECURITY DEFINER, or asks who calls before its function is run.
    const wrong = (await world.run("owner", fired)).filter(
      (row) =>
        row["before_cascade"] !== true && row["definer"] !== true && row["asks_first"] !== true,
    );
    expect(wrong).toEqual([]);
  });

  test("work as supabase_auth_admin, for an author with rows in every table", async ({
    world,
    owner,
  }) => {
    const [mentor, reader] = [await world.member("mentor-access"), await atLevel(world, 4)];
    const place = await shelf(world, "general");
    await article(world, place, { author_id: mentor });
    const read = await article(world, place, { author_id: mentor });
    await course(world, place, { mentor_id: mentor });
    await courseOf(world, place, 2);
    await openArticle(world, mentor, read);
    await openArticle(world, reader, read);
    const said = await insertMessage(world, mentor);
    await insertMessage(world, reader, "Yes", { parent_message_id: said["id"] });
    await world.run(reader, likeSql, [reader, said["id"]]);
    await world.run(mentor, joinSql, ["general"]);
    await world.insert(mentor, "learning_submissions", {
      user_id: mentor,
      submission_type: "success",
      title: "Done",
      content: "It is.",
    });

    await owner.query("set local role supabase_auth_admin");
    const deleted = await owner.query("delete from auth.users where id = $1", [mentor]);
    await owner.query("reset role");

    expect(deleted.rowCount).toBe(1);
    expect(await world.run("owner", "select from public.profiles where id = $1", [mentor])).toEqual(
      [],
    );
    // Content that others read stays, without its author.
    const kept = await world.run("owner", "select author_id from public.articles where id = $1", [
      read,
    ]);
    expect(kept).toEqual([{ author_id: null }]);
  });

  test("take back what the member liked and reacted to among answers to their own messages", async ({
    world,
    owner,
  }) => {
    const [ada, bob, cem] = [await world.member(), await world.member(), await world.member()];
    const said = await insertMessage(world, ada);
    const answer = await insertMessage(world, bob, "Yes", { parent_message_id: said["id"] });
    for (const member of [ada, cem]) {
      await world.run(member, likeSql, [member, answer["id"]]);
      await world.run(member, reactSql, [member, answer["id"], "thanks"]);
    }

    await owner.query("set local role supabase_auth_admin");
    await owner.query("delete from auth.users where id = $1", [ada]);
    await owner.query("reset role");

    // The answer stays, without what it answered, and with what the others gave it.
    expect(await readMessage(world, answer["id"])).toMatchObject({
      message_type: "reply",
      parent_message_id: null,
      like_count: 1,
      reaction_counts: { thanks: 1 },
    });
  });
});
