import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, afterEach, expect, test } from "vitest";
import { PolicyAuthorizers } from "basehost/testing";
import { changesOf, closeListeners, listener, type Payload } from "./listeners.ts";
import { startOwnHost } from "./own-host.ts";
import { closeOwnerConnections, ownerConnections } from "./rows.ts";

startOwnHost();
afterEach(closeListeners);
afterAll(closeOwnerConnections);

/** Adds a bulletin. The policy shows it to every member, its authorizer to this account only. */
async function addBulletin(reader: string | null): Promise<number> {
  const { rows } = await ownerConnections().query<{ id: number }>(
    "insert into bulletins (reader) values ($1) returning id",
    [reader],
  );
  return rows[0]?.id ?? 0;
}

const idsOf = (payloads: readonly Payload[]) =>
  payloads.map((payload) => Reflect.get(payload.new, "id"));

test("a policy's authorizer decides for all subscribers at once, separately for each row", async () => {
  const [one, other] = [listener(), listener()];
  const first = await changesOf(one.client, { table: "bulletins" });
  const second = await changesOf(other.client, { table: "bulletins" });
  const ids = [
    await addBulletin(one.id),
    await addBulletin(other.id),
    await addBulletin(null),
    await addBulletin(one.id),
    await addBulletin(other.id),
  ];
  expect(idsOf(await first.arrivals.until(2))).toEqual([ids[0], ids[3]]);
  expect(idsOf(await second.arrivals.until(2))).toEqual([ids[1], ids[4]]);
});

test("authorizers are not called for roles that bypass policies, nor for subjects that are no account", async () => {
  const member = listener();
  const told = await changesOf(member.client, { table: "bulletins" });
  const service = await changesOf(listener({ role: "service_role" }).client, {
    table: "bulletins",
  });
  const nameless = await changesOf(listener({ sub: "nobody's id" }).client, { table: "bulletins" });
  const ids = [await addBulletin(null), await addBulletin(member.id)];
  for (const { arrivals } of [service, nameless]) {
    expect(idsOf(await arrivals.until(2))).toEqual(ids);
  }
  expect(idsOf(await told.arrivals.until(1))).toEqual([ids[1]]);
});

const replaceAuthorizer =
  "create or replace function bulletin_authorized_users(bulletin bulletins, user_ids uuid[])";

test.for([
  [
    "another policy applies too",
    "create policy more on bulletins for all to public using (false)",
    "drop policy more on bulletins",
  ],
  [
    "a restrictive policy applies too",
    "create policy less on bulletins as restrictive for select to authenticated using (true)",
    "drop policy less on bulletins",
  ],
  [
    "its comment names no authorizer",
    "comment on policy bulletins_select on bulletins is 'Everybody.'",
    "comment on policy bulletins_select on bulletins is '@authorizer public.bulletin_authorized_users'",
  ],
  [
    "its authorizer does not exist",
    "alter function bulletin_authorized_users rename to gone",
    "alter function gone rename to bulletin_authorized_users",
  ],
  [
    "its authorizer raises",
    `${replaceAuthorizer} returns uuid[] language plpgsql as 'begin raise exception ''broken''; end'`,
    `${replaceAuthorizer} returns uuid[] language sql as 'select array[bulletin.reader]'`,
  ],
] as const)("the policy itself is evaluated while %s", async ([, change, undo]) => {
  const member = listener();
  const { arrivals } = await changesOf(member.client, { table: "bulletins" });
  await ownerConnections().query(change);
  const told = await addBulletin(null);
  await arrivals.until(1);
  await ownerConnections().query(undo);
  await addBulletin(null);
  const mine = await addBulletin(member.id);
  expect(idsOf(await arrivals.until(2))).toEqual([told, mine]);
});

test("duplicate, additional and missing users in an authorizer's result are harmless", async () => {
  const [one, other] = [listener(), listener()];
  const first = await changesOf(one.client, { table: "bulletins" });
  const second = await changesOf(other.client, { table: "bulletins" });
  await ownerConnections().query(`${replaceAuthorizer} returns uuid[] language sql as
    'select case when bulletin.reader is not null then array[null, bulletin.reader, bulletin.reader, gen_random_uuid()] end'`);
  const ids = [await addBulletin(null), await addBulletin(one.id), await addBulletin(other.id)];
  await ownerConnections().query(`${replaceAuthorizer} returns uuid[] language sql as
    'select array[bulletin.reader, gen_random_uuid()]'`);
  ids.push(await addBulletin(one.id), await addBulletin(other.id));
  expect(idsOf(await first.arrivals.until(2))).toEqual([ids[1], ids[3]]);
  expect(idsOf(await second.arrivals.until(2))).toEqual([ids[2], ids[4]]);
  await ownerConnections().query(
    `${replaceAuthorizer} returns uuid[] language sql as 'select array[bulletin.reader]'`,
  );
});

test("an authorizer waits until a row from the log is visible", async () => {
  const account = randomUUID();
  const identity = {
    role: "authenticated",
    claims: "{}",
    key: account,
    subject: account,
    account: account.replaceAll("-", ""),
  };
  const writing = await ownerConnections().connect();
  await writing.query("begin");
  const { rows } = await writing.query<{ id: number; transaction: string }>(
    "insert into bulletins (reader) values ($1) returning id, pg_current_xact_id()::text as transaction",
    [account],
  );
  const [row] = rows;
  const { rows: tables } = await ownerConnections().query<{ oid: number }>(
    "select 'public.bulletins'::regclass::oid::int as oid",
  );
  const query = {
    oid: tables[0]?.oid ?? 0,
    roles: ["authenticated"],
    keys: {
      schema: "public",
      table: "bulletins",
      key: [{ name: "id", typeName: "int8", sqlType: "bigint" }],
      rows: [[String(row?.id)]],
    },
    authorizer: "public.bulletin_authorized_users",
    identities: [identity],
    transactions: [Number(row?.transaction)],
  };
  const authorizers = new PolicyAuthorizers(
    ownerConnections(),
    pino({ level: "silent" }),
    Date.now,
  );
  const order: string[] = [];
  const answer = authorizers.authorize(query).finally(() => order.push("answered"));
  // Long enough for many retries: each takes no longer than one of these.
  for (let n = 0; n < 50; n += 1) await writing.query("select 1");
  order.push("committed");
  await writing.query("commit");
  writing.release();
  const isVisible = (await answer)?.isVisible;
  authorizers.release();
  expect({ order, sees: isVisible?.(identity, 0) }).toEqual({
    order: ["committed", "answered"],
    sees: true,
  });
});

test("an authorizer that hangs is cancelled and not called again for a while", async () => {
  const { arrivals } = await changesOf(listener().client, { table: "bulletins" });
  await ownerConnections().query(`create sequence asked;
    ${replaceAuthorizer} returns uuid[] language plpgsql as
      'begin perform nextval(''public.asked''), pg_sleep(60); return user_ids; end'`);
  const ids = [await addBulletin(null)];
  await arrivals.until(1);
  ids.push(await addBulletin(null));
  expect(idsOf(await arrivals.until(2))).toEqual(ids);
  expect((await ownerConnections().query("select last_value::int as n from asked")).rows).toEqual([
    { n: 1 },
  ]);
});
