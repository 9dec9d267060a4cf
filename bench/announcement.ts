import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startFixtureHost } from "../tests/support/start-fixture-host.ts";
import type { BellsOrder, BellsReport } from "./read-bells.ts";
import type { Finding } from "./rest-read.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const bellsScript = fileURLToPath(new URL("read-bells.ts", import.meta.url));
const memberCount = 10_000;
/** Members who go on using the product, and how often one of them calls. */
const busyCount = 30;
const callEveryMs = 40;
const quietMs = 12_000;
const sentCount = 15;
/** How much longer a call may take with the announcement than without it: the sender's, and those of others meanwhile. */
const maxRatio = 2;

/** Paying members of level 1 with a session each, and an administrator with a second factor. Triggers are left out. */
const fillSql = `
  set session_replication_role = replica;
  create temporary table person as select gen_random_uuid() as id, n from generate_series(0, ${memberCount}) n;
  insert into auth.users (id, email, created_at)
    select id, 'm' || n || '@example.test', now() - interval '1 year' from person;
  insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
    select id, id, 'Phone', 'totp', 'verified' from person where n = 0;
  insert into auth.sessions (id, user_id, aal, factor_id)
    select id, id, case n when 0 then 'aal2' else 'aal1' end::auth.aal_level, case n when 0 then id end from person;
  insert into public.profiles (id, first_name, last_name, role, onboarding_complete)
    select id, 'Member', 'No ' || n, case n when 0 then 'admin' else 'student' end, true from person;
  insert into public.user_levels (user_id) select id from person;
  insert into public.user_progress (user_id) select id from person;
  insert into public.stripe_customers (customer_id, user_id) select 'cus_' || n, id from person;
  insert into public.stripe_subscriptions (customer_id, subscription_id, status, price_id)
    select 'cus_' || n, 'sub_' || n, 'active', p.price_id from person, public.plans p where p.id = 'student-access';
  set session_replication_role = origin;
  update private.rate_limits set max_count = 100000;
  vacuum analyze`;

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Infinity;
const median = (values: readonly number[]) => at(values, 0.5);

interface Caller {
  readonly id: string;
  readonly token: string;
}

/** The calls of the product over HTTP, each with the milliseconds it took. */
function callsOf(url: string, anonKey: string) {
  async function call({ token }: Caller, path: string, body: object): Promise<number> {
    const startedAt = performance.now();
    const response = await fetch(`${url}/rest/v1/${path}`, {
      method: "POST",
      headers: {
        apikey: anonKey,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        prefer: "return=minimal",
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return performance.now() - startedAt;
  }
  const send = async (by: Caller, content: string) =>
    await call(by, "chat_messages", {
      id: randomUUID(),
      user_id: by.id,
      chat_room_id: "general",
      content,
      message_type: "message",
    });
  /** What members do: every third call sends a message, the others read a room and the bell. */
  async function useProduct(busy: readonly Caller[], until: () => boolean): Promise<number[]> {
    const running: Promise<number>[] = [];
    for (let n = 0; !until(); n += 1) {
      const by = busy[n % busy.length];
      if (by === undefined) break;
      running.push(
        n % 3 === 0
          ? send(by, `Message ${n}`)
          : n % 3 === 1
            ? call(by, "rpc/room_page", { room_id: "general" })
            : call(by, "rpc/my_notifications", {}),
      );
      await new Promise((resolve) => setTimeout(resolve, callEveryMs));
    }
    return await Promise.all(running);
  }
  return { send, useProduct };
}

/** The peer: a notification for each member in one statement, as a fan-out in the sender's call would write them. */
const fanOutSql = `
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
  select p.id, 'announcement', $1, $2, $2 from public.profiles p where p.id <> $1`;

/**
 * One @everyone among 10,000 members, all with an open page: the sender's call against one without it and against a fan-out,
 * and the calls of other members while every bell is read again against the same calls before.
 */
export async function benchAnnouncement(): Promise<Finding> {
  const { host, running, stop } = await startFixtureHost({}, root);
  const owner = new pg.Client({ connectionString: running.databaseUrl });
  const bells = fork(bellsScript);
  try {
    await owner.connect();
    for (const statement of fillSql.split(";")) await owner.query(statement);
    const { rows } = await owner.query<{ id: string }>("select id from person order by n");
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const callers: Caller[] = await Promise.all(
      rows.map(async ({ id }, n) => {
        const claims = { sub: id, session_id: id, role: "authenticated", aud: "authenticated" };
        const token = await host.context.keys.sign({
          ...claims,
          exp,
          aal: n === 0 ? "aal2" : "aal1",
          email: `${id}@example.test`,
        });
        return { id, token };
      }),
    );
    const [admin, ...members] = callers;
    if (admin === undefined) throw new Error("no administrator was created");
    const busy = members.slice(0, busyCount);
    const { send, useProduct } = callsOf(running.url, running.anonKey);

    const startedAt = performance.now();
    const before = await useProduct(busy, () => performance.now() - startedAt > quietMs);
    const plain: number[] = [];
    const announced: number[] = [];
    for (let n = 0; n < sentCount; n += 1) {
      plain.push(await send(admin, "Good morning, all"));
      announced.push(await send(admin, "Good morning, @everyone"));
    }
    const { rows: sent } = await owner.query<{ id: string; message_id: string }>(
      "delete from private.room_announcements where id < (select max(id) from private.room_announcements) returning id, message_id",
    );
    const { rows: spread } = await owner.query<{ ms: number }>(
      "select (payload ->> 'spread_ms')::integer as ms from realtime.messages where event = 'announced' order by inserted_at desc limit 1",
    );
    const spreadMs = spread[0]?.ms ?? 0;
    const order: BellsOrder = {
      url: running.url,
      anonKey: running.anonKey,
      tokens: members.map(({ token }) => token),
      spreadMs,
    };
    const reported = once(bells, "message") as Promise<[BellsReport]>;
    let isOver = false;
    bells.send(order);
    void reported.then(() => {
      isOver = true;
    });
    const meanwhile = await useProduct(busy, () => isOver);
    const [{ once: toldOnce, failed }] = await reported;
    const written = await owner.query(
      "select from public.notifications where kind = 'announcement'",
    );

    const fanOutAt = performance.now();
    await owner.query(fanOutSql, [admin.id, sent[0]?.message_id]);
    const fanOutMs = performance.now() - fanOutAt;
    const senderRatio = median(announced) / median(plain);
    const othersRatio = median(meanwhile) / median(before);
    return {
      title: `one @everyone among ${memberCount} members`,
      figures:
        `sending takes ${median(announced).toFixed(1)} ms, a message without it ${median(plain).toFixed(1)} ms, ratio ${senderRatio.toFixed(2)} ` +
        `(a fan-out ${fanOutMs.toFixed(0)} ms); ${toldOnce} members see it once, ${failed} calls failed, ${written.rowCount} rows written for them; ` +
        `calls of others take ${median(meanwhile).toFixed(1)} ms while all bells are read within ${(spreadMs / 1000).toFixed(0)} s, ` +
        `${median(before).toFixed(1)} ms before, ratio ${othersRatio.toFixed(2)}, ` +
        `95 % below ${at(meanwhile, 0.95).toFixed(1)} and ${at(before, 0.95).toFixed(1)} ms (limit ${maxRatio} each)`,
      holds:
        senderRatio <= maxRatio &&
        othersRatio <= maxRatio &&
        toldOnce === memberCount &&
        written.rowCount === 0,
    };
  } finally {
    bells.kill();
    await owner.end();
    await stop();
  }
}
