import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, afterEach, expect, onTestFinished, test } from "vitest";
import { createClient } from "@supabase/supabase-js";
import { MemoryLog } from "basehost/testing";
import type { RunningHost } from "../../support/running.ts";
import { Arrivals, closeListeners, joined, listener, track } from "./listeners.ts";
import { startRealtime, type OwnRealtime } from "./own-realtime.ts";
import { hostOfFile, startOwnHost } from "./own-host.ts";
import { closeOwnerConnections, ownerConnections, setRank } from "./rows.ts";

// Each service holds connections of its own.
startOwnHost({ database: { connections: { background: 16, authenticator: 16 } } });
afterEach(closeListeners);
afterAll(closeOwnerConnections);

let poster = 1000;
const filterTexts = [
  undefined,
  "room_id=eq.1",
  "room_id=gt.2",
  "room_id=in.(2,3)",
  "done=eq.true",
  "body=like.a%",
];
const personCount = 25;
const stepCount = 30;

interface Person {
  role: "authenticated" | "anon" | "service_role";
  id: string;
  filter: string | undefined;
  got: Arrivals<string>;
  expected: string[];
}

/** The same conditions in SQL. */
const conditionSqlOf: Record<string, string> = {
  "room_id=eq.1": "room_id = 1",
  "room_id=gt.2": "room_id > 2",
  "room_id=in.(2,3)": "room_id in (2, 3)",
  "done=eq.true": "done",
  "body=like.a%": "body like 'a%'",
};

/** People in turn on these hosts. */
async function gather(hosts: readonly RunningHost[]): Promise<Person[]> {
  const people: Person[] = [];
  for (let n = 0; n < personCount; n++) {
    const role = n % 8 === 0 ? "anon" : n % 8 === 1 ? "service_role" : "authenticated";
    const host = hosts[n % hosts.length] ?? hostOfFile();
    const member = listener({}, host);
    const client =
      role === "authenticated"
        ? member.client
        : track(createClient(host.url, role === "anon" ? host.anonKey : host.serviceRoleKey));
    if (role === "authenticated") await setRank(member.id, n % 5);
    // Anonymous clients may select no column, so their filters can name none.
    const filter = role === "anon" ? undefined : filterTexts[n % filterTexts.length];
    const got = new Arrivals<string>();
    const person: Person = { role, id: member.id, filter, got, expected: [] };
    const notes = { event: "*", schema: "public", table: "notes" } as const;
    const channel = client
      .channel(randomUUID())
      .on("postgres_changes", filter === undefined ? notes : { ...notes, filter }, (change) => {
        const row = change.eventType === "DELETE" ? change.old : change.new;
        const denied = (change.errors as unknown as string[] | null)?.join() ?? "";
        got.add(`${change.eventType} ${Reflect.get(row, "id") ?? denied}`);
      })
      .on("postgres_changes", { event: "INSERT", schema: "public", table: "posters" }, (change) =>
        got.add(`step ${String(change.new["title"])}`),
      );
    await joined(channel);
    people.push(person);
  }
  return people;
}

/** Whether row-level security shows this person the row now. */
async function sees(person: Person, id: string): Promise<boolean> {
  const client = await ownerConnections().connect();
  try {
    await client.query("begin");
    const condition =
      person.filter === undefined ? "true" : (conditionSqlOf[person.filter] ?? "false");
    if (person.role !== "anon") {
      await client.query(
        "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)",
        [person.role, JSON.stringify({ sub: person.id, role: person.role })],
      );
    }
    const { rowCount } = await client.query(`select from notes where id = $1 and ${condition}`, [
      id,
    ]);
    return rowCount === 1;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

async function expectChange(people: readonly Person[], type: string, id: string): Promise<void> {
  for (const person of people) {
    if (type === "DELETE") {
      // The key of a deleted row goes to every subscriber whose filter can be evaluated with it.
      if (person.filter === undefined) {
        person.expected.push(person.role === "anon" ? "DELETE " : `DELETE ${id}`);
      }
    } else if (await sees(person, id)) {
      const told = person.role === "anon" ? "Error 401: Unauthorized" : id;
      person.expected.push(`${type} ${told}`);
    }
  }
}

/** A random change of the tables; the second value selects the person or note. */
type Step = readonly [kind: string, pick: number, room: number, body: string];

async function perform(
  [kind, pick, room, body]: Step,
  people: Person[],
  notes: string[],
): Promise<void> {
  const person = people[pick % people.length];
  const at = pick % Math.max(notes.length, 1);
  const note = notes[at];
  if (kind === "rank" && person) await setRank(person.id, room);
  else if (kind === "room") {
    await ownerConnections().query("update rooms set level = $2 where id = $1", [
      room,
      (pick % 5) + 1,
    ]);
  } else if (kind === "insert" || note === undefined) {
    const { rows } = await ownerConnections().query<{ id: string }>(
      "insert into notes (room_id, author, body) values ($1, $2, $3) returning id",
      [room, person?.id, body],
    );
    const id = rows[0]?.id ?? "";
    notes.push(id);
    await expectChange(people, "INSERT", id);
  } else if (kind === "update") {
    await ownerConnections().query(
      "update notes set room_id = $2, body = $3, done = not done where id = $1",
      [note, room, body],
    );
    await expectChange(people, "UPDATE", note);
  } else {
    await ownerConnections().query("delete from notes where id = $1", [note]);
    notes.splice(at, 1);
    await expectChange(people, "DELETE", note);
  }
}

const authorizer = "author or rank. @authorizer public.note_authorized_users";

test.for([
  ["the policy's authorizer", authorizer, 0],
  ["the policy", null, 0],
  ["the policy's authorizer, over three hosts that share a log", authorizer, 3],
  ["the policy, over three hosts that share a log", null, 3],
] as const)(
  "random changes to rows, ranks and rooms are delivered, by %s, to exactly the users Postgres shows them to",
  async ([, note, hostCount]) => {
    const log = new MemoryLog();
    const services: OwnRealtime[] = [];
    for (let n = 0; n < hostCount; n++) services.push(await startRealtime({}, {}, { log }));
    onTestFinished(async () => {
      await closeListeners();
      for (const service of services) await service.stop();
    });
    const comment = note === null ? "null" : `'${note}'`;
    await ownerConnections().query(`comment on policy notes_select_by_rank on notes is ${comment}`);
    const people = await gather(services.map(({ running }) => running));
    const kinds = ["insert", "insert", "update", "update", "delete", "rank", "room"];
    const step: fc.Arbitrary<Step> = fc.tuple(
      fc.constantFrom(...kinds),
      fc.nat(1000),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom("apple", "pear", "a", ""),
    );
    const sequences = fc.array(step, { minLength: stepCount, maxLength: stepCount });
    await fc.assert(
      fc.asyncProperty(sequences, async (steps) => {
        const notes: string[] = [];
        for (const one of steps) {
          await perform(one, people, notes);
          // Every subscriber gets the poster after all earlier commits.
          poster += 1;
          await ownerConnections().query("insert into posters values ($1, $2)", [
            poster,
            String(poster),
          ]);
          for (const person of people) {
            person.expected.push(`step ${poster}`);
            await person.got.until(person.expected.length);
          }
        }
        for (const person of people) expect(person.got.items).toEqual(person.expected);
      }),
      { numRuns: 4, endOnFailure: true },
    );
    await ownerConnections().query("delete from posters; update rooms set level = id");
  },
);
