import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type SupabaseClient,
} from "@supabase/supabase-js";
import type { AttackAccounts } from "./attack-accounts.ts";

/** A call or message that takes longer counts as failed. */
const patienceMs = 15_000;
const authOptions = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

/** The calls of the members, each made again after so many milliseconds. */
const callIntervalsMs = {
  account: 400,
  rooms: 400,
  function: 1500,
  message: 1500,
  renewal: 3000,
  join: 3000,
  // The right password costs a hash each time, and an address has 300 in five minutes.
  signIn: 5000,
} as const;

/** What is measured: the calls, and the time from sending a message to its delivery. */
export const measuredOperations = [
  "account",
  "rooms",
  "function",
  "message",
  "delivery",
  "renewal",
  "join",
  "signIn",
] as const;
export type MeasuredOperation = (typeof measuredOperations)[number];

/** What the members measured. */
export interface ClientMetrics {
  /** Milliseconds of each call. */
  times: Record<MeasuredOperation, number[]>;
  /** Number of failed calls by status or reason. */
  failures: Record<string, number>;
}

/** Several members who use the product as usual, from one address. */
export class NormalMembers {
  readonly #room: string;
  readonly #clients: SupabaseClient[] = [];
  /** Signs in as the first of them, from the start. */
  #signIn: (() => Promise<string | undefined>) | undefined;
  readonly #sentAt = new Map<string, number>();
  #metrics: ClientMetrics = empty();
  #listening = true;

  constructor(room: string) {
    this.#room = room;
  }

  /** Signs all members in. The first one listens to the messages of the room. */
  async start(url: string, people: AttackAccounts): Promise<void> {
    for (const { email } of people.normal) {
      const client = createClient(url, people.anonKey, { auth: authOptions, db: { retry: false } });
      const { error } = await client.auth.signInWithPassword({ email, password: people.password });
      if (error) throw error;
      this.#clients.push(client);
    }
    const [first] = people.normal;
    this.#signIn = async () => {
      const client = createClient(url, people.anonKey, { auth: authOptions });
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
    if (client === undefined) throw new Error("no member has signed in");
    return client;
  }

  #fail(reason: string): void {
    const { failures } = this.#metrics;
    failures[reason] = (failures[reason] ?? 0) + 1;
  }

  #arrived(id: string): void {
    const sentAt = this.#sentAt.get(id);
    if (sentAt === undefined) return;
    this.#sentAt.delete(id);
    this.#metrics.times.delivery.push(performance.now() - sentAt);
  }

  async #measure(measure: Exclude<MeasuredOperation, "delivery">, turn: number): Promise<void> {
    const startedAt = performance.now();
    const reason = await Promise.race([
      this.#call(measure, turn).catch((error: unknown) => String(error)),
      sleep(patienceMs, "no answer", { ref: false }),
    ]);
    this.#metrics.times[measure].push(performance.now() - startedAt);
    if (reason !== undefined) this.#fail(`${measure}: ${reason}`);
  }

  /** Makes one call; resolves with the reason when it fails. */
  async #call(
    measure: Exclude<MeasuredOperation, "delivery">,
    turn: number,
  ): Promise<string | undefined> {
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
    const status = await new Promise<`${REALTIME_SUBSCRIBE_STATES}`>(
      (resolve) => void channel.subscribe(resolve),
    );
    await client.removeChannel(channel);
    return status === "SUBSCRIBED" ? undefined : status;
  }

  /** Makes calls until the signal, waits for pending messages, and returns the measurements. */
  async run(over: AbortSignal): Promise<ClientMetrics> {
    this.#metrics = empty();
    await Promise.all(
      Object.entries(callIntervalsMs).map(async ([measure, everyMs]) => {
        for (let turn = 0; !over.aborted; turn += 1) {
          const startedAt = Date.now();
          await this.#measure(measure as keyof typeof callIntervalsMs, turn);
          const pauseMs = Math.max(0, startedAt + everyMs - Date.now());
          // Rejects when it is over, so that the longest pause does not lengthen the run.
          await sleep(pauseMs, undefined, { signal: over }).catch(() => undefined);
        }
      }),
    );
    const deadline = Date.now() + patienceMs;
    while (this.#sentAt.size > 0 && Date.now() < deadline) await sleep(50);
    for (const id of this.#sentAt.keys()) {
      this.#sentAt.delete(id);
      this.#metrics.times.delivery.push(patienceMs);
      this.#fail("delivery: message never arrived");
    }
    return this.#metrics;
  }

  async end(): Promise<void> {
    this.#listening = false;
    for (const client of this.#clients) {
      await client.removeAllChannels();
      await client.realtime.disconnect();
    }
  }
}

function empty(): ClientMetrics {
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
