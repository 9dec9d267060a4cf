import { Stripe } from "stripe";
import type { Sandbox } from "../main.ts";
import { isExactAmount, typeErrors, type TypedValue } from "./type-errors.ts";
import { client, webhookSecret, type Receiver } from "./sandbox-fixture.ts";

/**
 * The kinds of answers and events that a sandbox gave: of those that differ in ids, numbers and names alone, the first is
 * kept. The type of an answer is that of the official library's method which returned it.
 */
export class RecordedAnswers {
  readonly #kinds = new Map<string, TypedValue>();
  /** Method and path of every request, as `GET /v1/customers/cus_1`. */
  readonly requests = new Set<string>();
  readonly eventTypes = new Set<string>();

  /** The official library, pointed at a sandbox. What its methods answer is recorded. */
  client(sandbox: Sandbox, key?: string): Stripe {
    const stripe = client(sandbox, key);
    stripe.on("request", ({ method, path }: { method: string; path: string }) => {
      this.requests.add(`${method} ${path.split("?")[0] ?? ""}`);
    });
    return this.#recording(stripe, []);
  }

  /** Records every event that a webhook received, as the official library reads it. */
  async keepEvents({ received }: Receiver): Promise<void> {
    const reader = new Stripe("sk_test_reader");
    for (const { body, signature } of received) {
      const event = await reader.webhooks.constructEventAsync(body, signature, webhookSecret);
      this.eventTypes.add(event.type);
      this.#keep({ name: event.type, type: "Stripe.Event", value: event });
    }
  }

  /** Records an answer or event of this name and type. */
  #keep(given: TypedValue): void {
    const kind = `${given.type} ${JSON.stringify(kindOf(given.value))}`;
    if (!this.#kinds.has(kind)) this.#kinds.set(kind, given);
  }

  /** What TypeScript's compiler says against what was recorded. */
  async typeErrors(): Promise<string[]> {
    return await typeErrors([...this.#kinds.values()]);
  }

  #recording<T extends object>(holder: T, names: string[]): T {
    return new Proxy(holder, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof name !== "string" || name.startsWith("_")) return value;
        if (typeof value === "function") {
          return (...given: unknown[]) => {
            const answer: unknown = Reflect.apply(value, target, given);
            if (answer instanceof Promise) this.#follow([...names, name], answer);
            return answer;
          };
        }
        return typeof value === "object" && value !== null
          ? this.#recording(value, [...names, name])
          : value;
      },
    });
  }

  #follow(names: string[], answer: Promise<unknown>): void {
    const name = names.join(".");
    const method = names.map((part) => `["${part}"]`).join("");
    answer.then(
      (value) => this.#keep({ name, type: `Answer<Stripe${method}>`, value }),
      (error: unknown) => {
        if (!(error instanceof Stripe.errors.StripeError)) return;
        this.#keep({ name: `${name}, refused`, type: "RawError", value: error.raw });
      },
    );
  }
}

/** A value without what tells two answers of a kind apart: numbers, and texts that are no word of the API. */
function kindOf(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(kindOf(one))))];
  if (isExactAmount(name, value)) return "decimal";
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, kindOf(one, key)]));
  }
  if (typeof value === "number") return "#";
  return typeof value === "string" && !/^[a-z_.]{1,40}$/.test(value) ? "$" : value;
}
