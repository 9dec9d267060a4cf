import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { isLong } from "../../support/long-form.ts";
import { startFixtureHost } from "../../support/start-fixture-host.ts";
import { timeLimitMs } from "../../support/time-limits.ts";
import { openNetwork, type CuttableNetwork } from "./cuttable-network.ts";
import { Arrivals, closeListeners, listener, type RealtimeUser } from "./listeners.ts";
import { hostOfFile, startOwnHost } from "./own-host.ts";
import { addNote, closeOwnerConnections, ownerConnections } from "./rows.ts";

/** The long form is `npm run soak`. */
const [socketCount, messageCount, cutCount] = isLong ? [200, 2000, 200] : [40, 300, 30];
const room = 4;
const page = 500;
const quick = { reconnectAfterMs: () => 50 };

startOwnHost();
let network: CuttableNetwork;
beforeAll(async () => {
  network = await openNetwork();
});
afterEach(closeListeners);
afterAll(async () => {
  await network.close();
  await closeOwnerConnections();
});

/** A client that works like a screen: subscribes to changes, and reads what it missed after each subscription. */
class Follower {
  readonly seen = new Arrivals<number>();
  /** Numbers received without their predecessor during one subscription. */
  readonly holes: string[] = [];
  subscriptions = 0;
  readonly #member: RealtimeUser;
  readonly #marker: string;
  /** What arrives while missed rows are read; undefined otherwise. */
  #held: number[] | undefined = [];

  constructor(member: RealtimeUser, marker: string) {
    this.#member = member;
    this.#marker = marker;
  }

  async follow(): Promise<void> {
    const { client } = this.#member;
    await client.realtime.setAuth();
    const filter = `room_id=eq.${room}`;
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
          this.#syncMissed(this.subscriptions).then(resolve, reject);
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

  async #syncMissed(subscription: number): Promise<void> {
    const bodyOf = (number: number) => `${this.#marker} ${String(number).padStart(5, "0")}`;
    while (subscription === this.subscriptions) {
      const { data, error } = await this.#member.client
        .from("notes")
        .select("body")
        .eq("room_id", room)
        .gt("body", bodyOf(this.#last))
        .order("body")
        .limit(page);
      if (error) {
        // The socket was cut again or the host is down: retry, as a screen would.
        await pause(50);
        continue;
      }
      for (const { body } of data) this.#take(Number(String(body).split(" ")[1]), "asked");
      if (data.length === page) continue;
      if (subscription !== this.subscriptions) return;
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const number of held) this.#take(number, "held");
      return;
    }
  }
}

test(
  "randomly cut sockets and a host restart lose no change, repeat none and keep the order",
  { timeout: timeLimitMs(isLong ? 600 : 120) },
  async () => {
    const env = { DATABASE_URL: hostOfFile().databaseUrl };
    let host = await startFixtureHost(env);
    try {
      network.leadTo(host.running.url);
      const marker = randomUUID();
      const way = { ...host.running, url: network.url };
      const members = Array.from({ length: socketCount }, () => listener({}, way, quick));
      await ownerConnections().query(
        "insert into ranks (user_id, level) select unnest($1::uuid[]), 4",
        [members.map(({ id }) => id)],
      );
      const followers = members.map((member) => new Follower(member, marker));
      await Promise.all(followers.map(async (follower) => await follower.follow()));
      const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
      const cutAt = fc.sample(fc.tuple(fc.nat(messageCount - 1), fc.nat()), {
        numRuns: cutCount,
        seed,
      });
      for (let n = 0; n < messageCount; n++) {
        await addNote(room, `${marker} ${String(n).padStart(5, "0")}`);
        for (const [at, pick] of cutAt) if (at === n) network.cutOne(pick);
        if (n === messageCount >> 1) {
          // Writes go on meanwhile, as from other hosts over the same database.
          const writing = (async () => {
            await host.stop();
            host = await startFixtureHost(env);
            network.leadTo(host.running.url);
          })();
          for (let more = 0; more < 20; more++) {
            n += 1;
            await addNote(room, `${marker} ${String(n).padStart(5, "0")}`);
          }
          await writing;
        }
      }
      const everything = Array.from({ length: messageCount }, (_, n) => n);
      for (const [at, follower] of followers.entries()) {
        const { seen, holes } = follower;
        while (seen.items.length < messageCount && holes.length === 0) {
          await seen.until(seen.items.length + 1);
        }
        expect(holes, `socket ${at}, seed ${seed}`).toEqual([]);
        expect(seen.items, `socket ${at}, seed ${seed}`).toEqual(everything);
      }
      // The restart alone interrupted each subscription once.
      expect(Math.min(...followers.map(({ subscriptions }) => subscriptions))).toBeGreaterThan(1);
    } finally {
      await closeListeners();
      await host.stop();
    }
  },
);
