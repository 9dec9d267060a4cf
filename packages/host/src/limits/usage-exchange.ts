// Hosts tell each other through Redis what they have granted, so that request rates hold over all of them.

import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { PubSub } from "../redis/pub-sub.ts";
import { isBudgetKind, type RequestLimiter } from "./request-limiter.ts";

/** Channel in Redis. */
const channel = "usage";
/** What was granted is told this often. Until then n hosts may grant n times as much. */
const defaultEveryMs = 250;
/** Limits of a message, far above what a host can grant between two of them. */
const maxKeys = 10_000;
const maxKeyLength = 200;
const maxMessageBytes = 4 * 1024 * 1024;

const usage = z.object({
  from: z.string(),
  /** Requests granted since the last message, by kind and key of the budget, such as `address 203.0.113.7`. */
  granted: z.record(z.string().max(maxKeyLength), z.int().positive()),
});

/** Undefined for unknown content, which anyone may send who reaches Redis. */
function parseUsage(content: Buffer): z.infer<typeof usage> | undefined {
  if (content.length > maxMessageBytes) return undefined;
  try {
    return usage.safeParse(JSON.parse(content.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Shares the budgets of one host's limiter with the other hosts. While Redis is away, each host counts for itself. */
export class UsageExchange {
  readonly #limiter: RequestLimiter;
  readonly #pubSub: PubSub;
  readonly #id = randomUUID();
  readonly #timer: NodeJS.Timeout;
  #granted = new Map<string, number>();

  constructor(limiter: RequestLimiter, pubSub: PubSub, everyMs = defaultEveryMs) {
    this.#limiter = limiter;
    this.#pubSub = pubSub;
    limiter.onGrant((kind, key) => {
      const name = `${kind} ${key}`;
      const count = this.#granted.get(name) ?? 0;
      if (count === 0 && (this.#granted.size >= maxKeys || name.length > maxKeyLength)) return;
      this.#granted.set(name, count + 1);
    });
    pubSub.listen(channel, { onMessage: (content) => this.#receive(content) });
    this.#timer = setInterval(() => void this.send(), everyMs).unref();
  }

  /** Tells what was granted since the last call. What can't be told now is forgotten: it would be charged too late. */
  async send(): Promise<void> {
    if (this.#granted.size === 0) return;
    const granted = Object.fromEntries(this.#granted);
    this.#granted = new Map();
    if (!this.#pubSub.isUp) return;
    await this.#pubSub
      .publish(channel, JSON.stringify({ from: this.#id, granted }))
      .catch(() => undefined);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #receive(content: Buffer): void {
    const parsed = parseUsage(content);
    if (parsed === undefined || parsed.from === this.#id) return;
    const entries = Object.entries(parsed.granted);
    if (entries.length > maxKeys) return;
    for (const [name, amount] of entries) {
      const at = name.indexOf(" ");
      const kind = name.slice(0, at);
      if (isBudgetKind(kind)) this.#limiter.charge(kind, name.slice(at + 1), amount);
    }
  }
}
