import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startFixtureHost } from "../../support/start-fixture-host.ts";
import { timeLimitMs } from "../../support/time-limits.ts";
import { openNetwork, type CuttableNetwork } from "./cuttable-network.ts";
import { Arrivals, closeListeners, listener, type Listener } from "./listeners.ts";
import { hostOfFile, startOwnHost } from "./own-host.ts";
import { addNote, closeOwner, owner } from "./rows.ts";

/** The long form is `npm run soak`. */
const IS_LONG = process.env["SOAK"] === "long";
const [SOCKETS, MESSAGES, CUTS] = IS_LONG ? [200, 2000, 200] : [40, 300, 30];
const ROOM = 4;
const PAGE = 500;
const QUICK = { reconnectAfterMs: () => 50 };

startOwnHost();
let network: CuttableNetwork;
beforeAll(async () => {
  network = await openNetwork();
});
afterEach(closeListeners);
afterAll(async () => {
  await network.close();
  await closeOwner();
});

/** A client as a screen is one: follows changes, and closes the gap by asking after each subscription. */
class Follower {
  readonly seen = new Arrivals<number>();
  /** Numbers that came without the one before them while a subscription stood. */
  readonly holes: string[] = [];
  subscriptions = 0;
  readonly #member: Listener;
  readonly #marker: string;
  /** What arrives while the gap is being closed; undefined when there is none. */
  #held: number[] | undefined = [];

  constructor(member: Listener, marker: string) {
    this.#member = member;
    this.#marker = marker;
  }

  async follow(): Promise<void> {
    const { client } = this.#member;
    await client.realtime.setAuth();
    const filter = `room_id=eq.${ROOM}`;
    await new Promise<void>((resolve, reject) => {
      client
        .channel(randomUUID())
        .on(
          "postgres_changes",
          { event: "INSERT", schema: "public", table: "notes", filter },
          (change) => this.#arrive(Number(String(change.new["body"]).split(" ")[1])),
        )
        .subscribe((status) => {
          this.#held = [];
          if (status !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return;
          this.subscriptions += 1;
          this.#closeGap(this.subscriptions).then(resolve, reject);
        });
    });
  }

  #arrive(number: number): void {
    if (this.#held) this.#held.push(number);
    else this.#take(number, "told");
  }

  get #last(): number {
    return this.seen.items.length - 1;
  }

  #take(number: number, how: string): void {
    if (number <= this.#last) return;
    if (number > this.#last + 1) this.holes.push(`${how} ${number} after ${this.#last}`);
    this.seen.add(number);
  }

  async #closeGap(subscription: number): Promise<void> {
    const bodyOf = (number: number) => `${this.#marker} ${String(number).padStart(5, "0")}`;
    while (subscription === this.subscriptions) {
      const { data, error } = await this.#member.client
        .from("notes")
        .select("body")
        .eq("room_id", ROOM)
        .gt("body", bodyOf(this.#last))
        .order("body")
        .limit(PAGE);
      if (error) {
        // The same cut that ended the subscription, or the host is away: as a screen would, try again.
        await pause(50);
        continue;
      }
      for (const { body } of data) this.#take(Number(String(body).split(" ")[1]), "asked");
      if (data.length === PAGE) continue;
      if (subscription !== this.subscriptions) return;
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const number of held) this.#take(number, "held");
      return;
    }
  }
}

test(
  "sockets that are cut at random and a host that restarts lose nothing, double nothing and keep the order",
  { timeout: timeLimitMs(IS_LONG ? 600 : 120) },
  async () => {
    const env = { DATABASE_URL: hostOfFile().databaseUrl };
    let host = await startFixtureHost(env);
    try {
      network.leadTo(host.running.url);
      const marker = randomUUID();
      const way = { ...host.running, url: network.url };
      const members = Array.from({ length: SOCKETS }, () => listener({}, way, QUICK));
      await owner().query("insert into ranks (user_id, level) select unnest($1::uuid[]), 4", [
        members.map(({ id }) => id),
      ]);
      const followers = members.map((member) => new Follower(member, marker));
      await Promise.all(followers.map(async (follower) => await follower.follow()));
      const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
      const cutAt = fc.sample(fc.tuple(fc.nat(MESSAGES - 1), fc.nat()), { numRuns: CUTS, seed });
      for (let n = 0; n < MESSAGES; n++) {
        await addNote(ROOM, `${marker} ${String(n).padStart(5, "0")}`);
        for (const [at, pick] of cutAt) if (at === n) network.cutOne(pick);
        if (n === MESSAGES >> 1) {
          // Writing goes on meanwhile, as other hosts over the same database would.
          const writing = (async () => {
            await host.stop();
            host = await startFixtureHost(env);
            network.leadTo(host.running.url);
          })();
          for (let more = 0; more < 20; more++) {
            n += 1;
            await addNote(ROOM, `${marker} ${String(n).padStart(5, "0")}`);
          }
          await writing;
        }
      }
      const everything = Array.from({ length: MESSAGES }, (_, n) => n);
      for (const [at, follower] of followers.entries()) {
        const { seen, holes } = follower;
        while (seen.items.length < MESSAGES && holes.length === 0) {
          await seen.until(seen.items.length + 1);
        }
        expect(holes, `socket ${at}, seed ${seed}`).toEqual([]);
        expect(seen.items, `socket ${at}, seed ${seed}`).toEqual(everything);
      }
      // Each was at least cut off by the restart.
      expect(Math.min(...followers.map(({ subscriptions }) => subscriptions))).toBeGreaterThan(1);
    } finally {
      await closeListeners();
      await host.stop();
    }
  },
);
