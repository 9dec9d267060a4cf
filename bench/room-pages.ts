import type pg from "pg";
import { openMutationDatabase } from "../tools/mutation/mutation-database.ts";
import type { Finding } from "./rest-read.ts";

/** How much longer the last 50 messages may take in a full room, or in a full table, than in an empty one. */
const maxRatio = 1.3;

const memberId = "00000000-0000-4000-8000-0000000000a1";
const authorCount = 200;
const roundCount = 40;
const callCount = 25;

/** A paying member who may read the rooms of level 1, and the authors of its messages. */
const accountsSql = `
  set session_replication_role = replica;
  insert into auth.users (id, email) values ('${memberId}', 'reader@example.test');
  insert into auth.sessions (id, user_id, aal) values ('${memberId}', '${memberId}', 'aal1');
  insert into public.profiles (id, onboarding_complete, first_name) values ('${memberId}', true, 'Reader');
  insert into public.user_levels (user_id) values ('${memberId}');
  insert into public.stripe_customers (customer_id, user_id) values ('cus_reader', '${memberId}');
  insert into public.stripe_subscriptions (customer_id, subscription_id, status, price_id)
    select 'cus_reader', 'sub_reader', 'active', price_id from public.plans where id = 'student-access';
  insert into public.profiles (id, onboarding_complete, first_name)
    select gen_random_uuid(), true, 'Author ' || g from generate_series(1, ${authorCount}) g;
  create temp table authors as select id, row_number() over () - 1 as n from public.profiles;
  create function pg_temp.milliseconds(room text, calls integer) returns double precision language plpgsql as $$
  declare
    began timestamptz := clock_timestamp();
  begin
    for n in 1..calls loop
      if (select count(*) from public.room_page(room)) <> 50 then
        raise exception 'not a whole page of %', room;
      end if;
    end loop;
    return extract(epoch from clock_timestamp() - began) * 1000 / calls;
  end $$`;

/** Adds messages to one room, or spread over the three rooms that are not measured. */
const messagesSql = `
  insert into public.chat_messages (user_id, chat_room_id, content, created_at, changed_at)
  select a.id, coalesce($1, (array['general', 'motivation', 'productivity'])[1 + g % 3]),
    'Message ' || g || repeat(' and so on', g % 12), t, t
  from generate_series(1, $2::int) g
  cross join lateral (select now() - make_interval(secs => g)) s (t)
  join authors a on a.n = g % ${authorCount}`;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function add(client: pg.Client, room: string | null, count: number): Promise<void> {
  await client.query(messagesSql, [room, count]);
}

/** Medians of the time a page of each room takes inside the database, in milliseconds, measured in turn. */
async function timePages(client: pg.Client, rooms: readonly string[]): Promise<number[]> {
  await client.query("vacuum analyze public.chat_messages");
  const times = rooms.map((): number[] => []);
  await client.query("begin");
  await client.query(
    `select set_config('role', 'authenticated', true),
       set_config('request.jwt.claims', '{"role":"authenticated","sub":"${memberId}","session_id":"${memberId}","aal":"aal1"}', true)`,
  );
  for (let round = 0; round <= roundCount; round += 1) {
    for (const [place, room] of rooms.entries()) {
      const sql = "select pg_temp.milliseconds($1, $2) as ms";
      const { rows } = await client.query<{ ms: number }>(sql, [room, callCount]);
      // The first round only warms up.
      if (round > 0) times[place]?.push(rows[0]?.ms ?? 0);
    }
  }
  await client.query("rollback");
  return times.map(median);
}

/**
 * The last 50 messages as the chat screen asks for them, with row-level security: of a room with 50,000 messages
 * against one with 50, and of a quiet room in a table of 1,000,000 against the same one in a table of 1,000.
 */
export async function benchRoomPages(): Promise<Finding> {
  const database = await openMutationDatabase();
  try {
    return await database.onOriginal(async (client) => {
      await client.query(accountsSql);
      await add(client, "success", 50);
      await add(client, null, 950);
      const [atThousand = 0] = await timePages(client, ["success"]);
      await add(client, "accountability", 50_000);
      await add(client, null, 949_000);
      const [quiet = 0, busy = 0] = await timePages(client, ["success", "accountability"]);
      const [byTable, byRoom] = [quiet / atThousand, busy / quiet];
      return {
        title: "the last 50 messages of a room",
        figures:
          `quiet room ${atThousand.toFixed(3)} ms among 1,000, ${quiet.toFixed(3)} ms among 1,000,000, ` +
          `ratio ${byTable.toFixed(2)}; room of 50,000 ${busy.toFixed(3)} ms, ratio ${byRoom.toFixed(2)} ` +
          `(limit ${maxRatio} each)`,
        holds: byTable <= maxRatio && byRoom <= maxRatio,
      };
    });
  } finally {
    await database.close();
  }
}
