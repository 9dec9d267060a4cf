import { expect } from "vitest";
import { openRoom, raise, insertMessage } from "./chat-world.ts";
import { test, type World } from "./world.ts";

/** One account of every kind: together they cover every combination of rights. */
async function everyKindOfAccount(world: World): Promise<Record<string, string>> {
  const people: Record<string, string> = {
    newcomer: await world.newcomer(),
    account: await world.account(),
    mentor: await world.member("mentor-access"),
    admin: await world.admin(),
    trialing: await world.member(),
    lapsed: await world.member(),
    unfinished: await world.newcomer(),
    levelless: await world.member(),
    forgotten: await world.member(),
  };
  const at = (name: string) => people[name] ?? "";
  for (const level of [1, 2, 3, 4]) {
    const member = await world.member();
    await raise(world, member, level);
    people[`level ${level}`] = member;
  }
  await world.setSubscriptionStatus(at("trialing"), "trialing");
  await world.setSubscriptionStatus(at("lapsed"), "past_due");
  await raise(world, at("lapsed"), 4);
  await world.subscribe(at("unfinished"));
  await world.run("owner", "delete from public.user_levels where user_id = $1", [at("levelless")]);
  await world.run(
    "owner",
    "update public.stripe_customers set deleted_at = now() where user_id = $1",
    [at("forgotten")],
  );
  return people;
}

/** Adds rows to each table whose policy names an authorizer. */
const rowsByTable: Record<string, (world: World, people: Record<string, string>) => Promise<void>> =
  {
    chat_messages: async (world, people) => {
      const author = people["admin"] ?? "";
      for (const level of [1, 2, 3, 4]) {
        await insertMessage(world, author, "Hello", { chat_room_id: await openRoom(world, level) });
      }
      const closed = await openRoom(world);
      await insertMessage(world, author, "Hello", { chat_room_id: closed });
      await world.run("owner", "update public.chat_rooms set is_active = false where id = $1", [
        closed,
      ]);
    },
    direct_messages: async (world, people) => {
      await world.run("owner", "set local session_replication_role = replica");
      const all = Object.values(people);
      for (const [at, one] of all.entries()) {
        const other = all[(at + 1) % all.length] ?? "";
        await world.run(
          "owner",
          `with conversation as (
             insert into private.direct_conversations (first_id, second_id)
             select least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid) returning id
           )
           insert into public.direct_messages (id, conversation_id, user_id, content)
           select gen_random_uuid(), id, $1, 'Hello' from conversation`,
          [one, other],
        );
        // Half of them have blocked the other.
        if (at % 2 === 0) {
          await world.run(
            "owner",
            "insert into private.member_blocks (user_id, blocked_id) values ($1, $2)",
            [one, other],
          );
        }
      }
      await world.run("owner", "set local session_replication_role = origin");
    },
    learning_submissions: async (world, people) => {
      await world.run("owner", "set local session_replication_role = replica");
      for (const author of Object.values(people)) {
        await world.run(
          "owner",
          `insert into public.learning_submissions (user_id, submission_type, title, content)
           select $1, 'success', 'A title', 'Some words about it'
            where exists (select from public.profiles where id = $1)`,
          [author],
        );
      }
      await world.run("owner", "set local session_replication_role = origin");
    },
  };

test("an authorizer returns exactly the accounts whose policy shows the row, for every kind of account", async ({
  world,
}) => {
  const named = await world.run(
    "owner",
    `select p.polrelid::regclass::text as table, p.polname,
        substring(obj_description(p.oid, 'pg_policy') from '@authorizer ([[:alnum:]_.]+)') as authorizer
       from pg_policy p where obj_description(p.oid, 'pg_policy') ~ '@authorizer' order by 1`,
  );
  expect(named.map((policy) => policy["table"])).toEqual(Object.keys(rowsByTable));
  const people = await everyKindOfAccount(world);
  for (const [table, addRows] of Object.entries(rowsByTable)) {
    await addRows(world, people);
    const authorizer = named.find((policy) => policy["table"] === table)?.["authorizer"];
    const authorized = await world.run(
      "owner",
      `select t.id, ${String(authorizer)}(t, $1)::text[] as accounts from public.${table} t order by t.id`,
      [Object.values(people)],
    );
    expect(authorized.length).toBeGreaterThanOrEqual(5);
    const seen = new Map<string, Set<unknown>>();
    for (const [name, person] of Object.entries(people)) {
      const rows = await world.run(person, `select id from public.${table}`);
      seen.set(name, new Set(rows.map((row) => row["id"])));
    }
    for (const { id, accounts } of authorized) {
      const namesOf = (has: (name: string, person: string) => boolean) =>
        Object.entries(people).flatMap(([name, person]) => (has(name, person) ? [name] : []));
      expect(
        namesOf((_, person) => (accounts as string[]).includes(person)),
        `${table} ${String(id)}`,
      ).toEqual(namesOf((name) => seen.get(name)?.has(id) === true));
    }
  }
});
