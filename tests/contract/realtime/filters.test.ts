import { randomUUID } from "node:crypto";
import { afterAll, afterEach, expect, test } from "vitest";
import { changesOf, closeListeners, joined, listener, visitor, type Payload } from "./listeners.ts";
import { startOwnHost } from "./own-host.ts";
import { closeOwnerConnections, ownerConnections } from "./rows.ts";

startOwnHost();
afterEach(closeListeners);
afterAll(closeOwnerConnections);

/** Far less than these filters would take without a timeout. */
const prompt = { timeout: 60_000 };
/** Runs forever on a long text, but not on a short one. */
const endlessFilter = String.raw`^(.*)(.*)(.*)(.*)(.*)\1\2\3\4\5@@$`;
const titles = (payloads: Payload[]) => payloads.map((one) => Reflect.get(one.new, "title"));

let posters = 0;
async function addPosters(...all: string[]): Promise<void> {
  const values = all.map((title) => [++posters, title] as const);
  await ownerConnections().query(
    "insert into posters select * from unnest($1::int[], $2::text[])",
    [values.map(([id]) => id), values.map(([, title]) => title)],
  );
}

const by = (filter: string) => ({ table: "posters", filter });

/** The status message a client gets for a filter. */
async function answerTo(
  client: ReturnType<typeof visitor>,
  changes: { table: string; filter: string },
): Promise<{ status: string; message: string }> {
  const channel = client.channel(randomUUID());
  const told = new Promise<{ status: string; message: string }>((resolve) => {
    channel.on("system", {}, resolve);
  });
  channel.on("postgres_changes", { event: "*", schema: "public", ...changes }, () => null);
  await joined(channel);
  return await told;
}

test("filters that run forever affect no other subscriber and are suspended", prompt, async () => {
  const [bad, good] = [listener().client, visitor()];
  const endless = await Promise.all(
    Array.from({ length: 5 }, async (_, n) => {
      return await changesOf(bad, by(`title=match.${endlessFilter}|^${n}$`));
    }),
  );
  const all = await changesOf(good, { table: "posters" });
  const quick = await changesOf(good, by("title=neq.none"));
  const asked = await changesOf(good, by("title=like.%@@"));
  await addPosters("@@");
  for (const { arrivals } of [...endless, all, quick, asked]) await arrivals.until(1);
  const long = `${"x".repeat(2_000)}@@`;
  await addPosters(long);
  for (const { arrivals } of [all, quick, asked]) await arrivals.until(2);
  await addPosters(long, "again @@");
  for (const { arrivals } of [all, quick, asked]) {
    expect(titles(await arrivals.until(4))).toEqual(["@@", long, long, "again @@"]);
  }
  for (const { arrivals } of endless) expect(titles(arrivals.items)).toEqual(["@@"]);
});

test("a single filter that runs forever passes nothing for a while", prompt, async () => {
  const { client } = listener();
  const endless = await changesOf(client, by(`title=imatch.${endlessFilter}`));
  const all = await changesOf(client, { table: "posters" });
  await addPosters("@@");
  await endless.arrivals.until(1);
  await addPosters(`${"x".repeat(2_000)}@@`);
  await all.arrivals.until(2);
  // It would pass this row, but is suspended.
  await addPosters("@@");
  await all.arrivals.until(3);
  expect(titles(endless.arrivals.items)).toEqual(["@@"]);
});

test("a filter that raises passes nothing and affects no other filter", async () => {
  const client = visitor();
  // Postgres finds the lone escape only after a text has matched the rest.
  const raising = await changesOf(client, by("title=like.ab\\"));
  const asked = await changesOf(client, by("title=like.a%"));
  const all = await changesOf(client, { table: "posters" });
  await addPosters("abc");
  await addPosters("abd");
  await all.arrivals.until(2);
  expect(titles(asked.arrivals.items)).toEqual(["abc", "abd"]);
  expect(raising.arrivals.items).toEqual([]);
});

test("a filter that times out in validation is rejected", prompt, async () => {
  const { client } = listener();
  const refusal = async (filter: string) => await answerTo(client, by(filter));
  expect(await refusal("title=match.(a?){250}(b?){250}(c?){250}")).toMatchObject({
    status: "error",
    message: expect.stringContaining("statement timeout"),
  });
  const many = Array.from({ length: 101 }, (_, n) => `id=neq.${n}`).join(",");
  expect(await refusal(many)).toMatchObject({
    status: "error",
    message: expect.stringContaining("too many conditions in filter. Maximum 100"),
  });
});
