import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type SupabaseClient,
} from "@supabase/supabase-js";
import type { People } from "./people.ts";

/** What takes longer counts as lost. */
const patienceMs = 15_000;
const QUIET = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

/** What the honest members do, and how often in all. */
const CALLS = {
  account: 400,
  rooms: 400,
  function: 1500,
  message: 1500,
  renewal: 3000,
  join: 3000,
  // The right password costs a hash each time, and an address has 300 in five minutes.
  signIn: 5000,
} as const;

/** What is measured: the calls, and the way of a message from its sending to a listener. */
export const MEASURES = [
  "account",
  "rooms",
  "function",
  "message",
  "delivery",
  "renewal",
  "join",
  "signIn",
] as const;
export type Measure = (typeof MEASURES)[number];

/** What honest members saw. */
export interface Experience {
  /** Milliseconds of each call. */
  times: Record<Measure, number[]>;
  /** Calls that did not get what they asked for: status or reason, and how many. */
  failures: Record<string, number>;
}

/** Several honest members at their usual work, from their own address. */
export class HonestMembers {
  readonly #room: string;
  readonly #clients: SupabaseClient[] = [];
  /** Signs in as the first of them, from the start. */
  #signIn: (() => Promise<string | undefined>) | undefined;
  readonly #sentAt = new Map<string, number>();
  #experience: Experience = empty();
  #listening = true;

  constructor(room: string) {
    this.#room = room;
  }

  /** Signs everybody in; one of them listens to the messages of the room. */
  async begin(url: string, people: People): Promise<void> {
    for (const { email } of people.honest) {
      const client = createClient(url, people.anonKey, { auth: QUIET, db: { retry: false } });
      const { error } = await client.auth.signInWithPassword({ email, password: people.password });
      if (error) throw error;
      this.#clients.push(client);
    }
    const [first] = people.honest;
    this.#signIn = async () => {
      const client = createClient(url, people.anonKey, { auth: QUIET });
      const { error } = await client.auth.signInWithPassword({
        email: first?.email ?? "",
        password: people.password,
      });
      return error ? `${error.status} ${error.code}` : undefined;
    };
    const listener = this.#client(0);
    await listener.realtime.setAuth();
    const filter = `chat_room_id=eq.${this.#room}`;
    await new Promise<void>((resolve, reject) => {
      listener
        .channel(`messages:${randomUUID()}`)
        .on(
          "postgres_changes",
          { event: "INSERT", schema: "public", table: "chat_messages", filter },
          (change) => this.#arrived(String(change.new["id"])),
        )
        .subscribe((status, error) => {
          if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve();
          else if (this.#listening) {
            this.#fail(`listener ${status}`);
            reject(error ?? new Error(status));
          }
        });
    });
  }

  #client(turn: number): SupabaseClient {
    const client = this.#clients[turn % this.#clients.length];
    if (client === undefined) throw new Error("nobody has signed in");
    return client;
  }

  #fail(reason: string): void {
    const { failures } = this.#experience;
    failures[reason] = (failures[reason] ?? 0) + 1;
  }

  #arrived(id: string): void {
    const sentAt = this.#sentAt.get(id);
    if (sentAt === undefined) return;
    this.#sentAt.delete(id);
    this.#experience.times.delivery.push(performance.now() - sentAt);
  }

  async #measure(measure: Exclude<Measure, "delivery">, turn: number): Promise<void> {
    const startedAt = performance.now();
    const reason = await Promise.race([
      this.#call(measure, turn).catch((error: unknown) => String(error)),
      sleep(patienceMs, "no answer", { ref: false }),
    ]);
    this.#experience.times[measure].push(performance.now() - startedAt);
    if (reason !== undefined) this.#fail(`${measure}: ${reason}`);
  }

  /** Makes one call; resolves with what went wrong. */
  async #call(measure: Exclude<Measure, "delivery">, turn: number): Promise<string | undefined> {
    const client = this.#client(turn);
    if (measure === "account") {
      const { error } = await client.auth.getUser();
      return error ? `${error.status} ${error.code}` : undefined;
    }
    if (measure === "rooms") {
      const { error, status, data } = await client.from("chat_rooms").select("id,name");
      return error ? `${status} ${error.code}` : data.length > 0 ? undefined : "no rooms";
    }
    if (measure === "function") {
      const { error, response } = await client.functions.invoke("decrement-participant-count", {
        body: { room_id: this.#room },
      });
      return error ? `${response?.status ?? "no answer"}` : undefined;
    }
    if (measure === "renewal") {
      const { error } = await client.auth.refreshSession();
      return error ? `${error.status} ${error.code}` : undefined;
    }
    if (measure === "join") return await this.#join(client);
    if (measure === "signIn") return await this.#signIn?.();
    const id = randomUUID();
    const { data } = await client.auth.getSession();
    this.#sentAt.set(id, performance.now());
    const { error, status } = await client.from("chat_messages").insert({
      id,
      user_id: data.session?.user.id,
      chat_room_id: this.#room,
      content: `Good morning ${turn}`,
      message_type: "message",
      parent_message_id: null,
    });
    if (!error) return undefined;
    this.#sentAt.delete(id);
    return `${status} ${error.code}`;
  }

  /** Joins the room as a new tab would, and leaves it again. */
  async #join(client: SupabaseClient): Promise<string | undefined> {
    await client.realtime.setAuth();
    const filter = `chat_room_id=eq.${this.#room}`;
    const table = { event: "INSERT", schema: "public", table: "chat_messages", filter } as const;
    const channel = client.channel(`tab:${randomUUID()}`).on("postgres_changes", table, () => {});
    const status = await new Promise<string>((resolve) => void channel.subscribe(resolve));
    await client.removeChannel(channel);
    return status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED ? undefined : status;
  }

  /** Does the usual things until `isOver`, waits for what is under way, and tells what it was like. */
  async live(isOver: () => boolean): Promise<Experience> {
    this.#experience = empty();
    await Promise.all(
      Object.entries(CALLS).map(async ([measure, everyMs]) => {
        for (let turn = 0; !isOver(); turn += 1) {
          const startedAt = Date.now();
          await this.#measure(measure as keyof typeof CALLS, turn);
          await sleep(Math.max(0, startedAt + everyMs - Date.now()));
        }
      }),
    );
    const deadline = Date.now() + patienceMs;
    while (this.#sentAt.size > 0 && Date.now() < deadline) await sleep(50);
    for (const id of this.#sentAt.keys()) {
      this.#sentAt.delete(id);
      this.#experience.times.delivery.push(patienceMs);
      this.#fail("delivery: message never arrived");
    }
    return this.#experience;
  }

  async end(): Promise<void> {
    this.#listening = false;
    for (const client of this.#clients) {
      await client.removeAllChannels();
      await client.realtime.disconnect();
    }
  }
}

function empty(): Experience {
  return {
    times: {
      account: [],
      rooms: [],
      function: [],
      message: [],
      delivery: [],
      renewal: [],
      join: [],
      signIn: [],
    },
    failures: {},
  };
}
