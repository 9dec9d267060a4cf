import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@supabase/supabase-js";
import { NormalMembers } from "./normal-members.ts";
import type { AttackOrders, AttackOutcome } from "./hostile-process.ts";
import { slownessOf, type AttackResult } from "./assess-attack.ts";
import type { AttackTarget } from "./attack-target.ts";
import type { AttackKind } from "./attack-kind.ts";
import { createAttackContent } from "./attack-content.ts";
import { createAttackAccounts } from "./attack-accounts.ts";
import { startAttackedProduct, type AttackedProduct } from "./product.ts";
import { SlowListener } from "./slow-listener.ts";

const clientCount = 10;
const roomId = "general";
const sampleEveryMs = 500;
const quickMs = 250;
const calmMs = 2000;
const recoveryTimeoutMs = 20_000;
const hostileProcess = fileURLToPath(new URL("hostile-process.ts", import.meta.url));

async function runHostileProcess(orders: AttackOrders): Promise<AttackOutcome> {
  const child = fork(hostileProcess, { stdio: "inherit" });
  return await new Promise((resolve, reject) => {
    let outcome: AttackOutcome | undefined;
    child.once("message", (message) => (outcome = message as AttackOutcome));
    child.once("error", reject);
    child.once("exit", (code) => {
      if (outcome === undefined) reject(new Error(`the hostile clients ended with ${code}`));
      else resolve(outcome);
    });
    child.send(orders);
  });
}

function watchMemory(product: AttackedProduct) {
  const most = product.memory();
  const timer = setInterval(() => {
    const now = product.memory();
    most.host = Math.max(most.host, now.host);
    most.postgres = Math.max(most.postgres, now.postgres);
  }, sampleEveryMs);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

/**
 * Waits until the database and the host answer quickly several times in a row, so that one attack does not affect
 * the next. @returns milliseconds, or undefined when they do not recover in time.
 */
async function recover(url: string, anonKey: string): Promise<number | undefined> {
  const endedAt = performance.now();
  for (let quick = 0; performance.now() - endedAt < recoveryTimeoutMs;) {
    const askedAt = performance.now();
    const isWell = await fetch(`${url}/rest/v1/chat_rooms?select=id`, {
      headers: { apikey: anonKey },
      signal: AbortSignal.timeout(recoveryTimeoutMs),
    }).then(
      async (answer) => (await answer.text()) !== "" && answer.status < 500,
      () => false,
    );
    quick = isWell && performance.now() - askedAt < quickMs ? quick + 1 : 0;
    if (quick === 5) return performance.now() - endedAt;
    await sleep(100);
  }
  return undefined;
}

/** A running product that can be attacked while members use it. */
export interface AttackTestbed {
  attack: (kind: AttackKind, seconds: number) => Promise<AttackResult>;
  close: () => Promise<void>;
}

/** Starts the product and creates the accounts. No attack starts yet. */
export async function startTestbed(): Promise<AttackTestbed> {
  const product = await startAttackedProduct();
  try {
    const people = await createAttackAccounts(product, clientCount);
    const calm = new NormalMembers(roomId);
    await calm.start(product.url, people);
    const slowness = slownessOf(await calm.run(AbortSignal.timeout(calmMs)));
    await calm.end();
    const operator = createClient(product.url, product.serviceRoleKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    });
    const content = await createAttackContent(product.url, operator, people);
    // The host draws a page when its course goes on sale. What is measured begins after that.
    for (const slug of content.salePages) await fetch(`${product.url}/c/${slug}`);
    const field: AttackTarget = { url: product.url, room: roomId, ...people, ...content };
    return {
      attack: async (kind, seconds) => {
        const pid = product.serverPid();
        const members = new NormalMembers(roomId);
        await members.start(product.url, people);
        // Not the first one: that one signs in so often that its oldest session, whose token this is, would be ended.
        const [, person] = people.normal;
        if (person === undefined) throw new Error("there are too few members");
        const slow = new SlowListener(product.url, people.anonKey, person, roomId);
        const memory = watchMemory(product);
        const over = new AbortController();
        const [outcome, metrics] = await Promise.all([
          runHostileProcess({ kind: kind.name, clients: clientCount, seconds, field }).finally(() =>
            over.abort(),
          ),
          members.run(over.signal),
          kind.meanwhile?.(operator, field, over.signal),
        ]);
        const lost = slow.lost();
        if (lost !== undefined) metrics.failures[lost] = 1;
        slow.end();
        await members.end();
        const recoveryMs = await recover(product.url, people.anonKey);
        const stayed = product.serverPid() === pid;
        return {
          kind,
          seconds,
          slowness,
          outcome,
          metrics,
          memory: memory.stop(),
          recoveryMs,
          stayed,
        };
      },
      close: product.stop,
    };
  } catch (error) {
    await product.stop();
    throw error;
  }
}
