import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { HonestMembers } from "./honest.ts";
import type { Orders, Outcome } from "./hostile-process.ts";
import { slownessOf, type AttackResult } from "./judge.ts";
import type { AttackKind, Battlefield } from "./kind.ts";
import { makePeople } from "./people.ts";
import { startAttackedProduct, type AttackedProduct } from "./product.ts";
import { SlowListener } from "./slow-listener.ts";

const CLIENTS = 10;
const ROOM = "general";
const sampleEveryMs = 500;
const quickMs = 250;
const calmMs = 2000;
const recoveryTimeoutMs = 20_000;
const HOSTILE = fileURLToPath(new URL("hostile-process.ts", import.meta.url));

async function sendHostiles(orders: Orders): Promise<Outcome> {
  const child = fork(HOSTILE, { stdio: "inherit" });
  return await new Promise((resolve, reject) => {
    let outcome: Outcome | undefined;
    child.once("message", (message) => (outcome = message as Outcome));
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
 * Waits until the database and the host answer quickly several times in a row, so that one attack is not counted
 * against the next. @returns milliseconds, or undefined when that does not come about.
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

/** A product under attack, with honest members in it. */
export interface AttackRange {
  attack: (kind: AttackKind, seconds: number) => Promise<AttackResult>;
  close: () => Promise<void>;
}

/** Starts the product and brings everybody in; nothing hostile happens yet. */
export async function openRange(): Promise<AttackRange> {
  const product = await startAttackedProduct();
  try {
    const people = await makePeople(product, CLIENTS);
    const calm = new HonestMembers(ROOM);
    await calm.begin(product.url, people);
    const calmUntil = Date.now() + calmMs;
    const slowness = slownessOf(await calm.live(() => Date.now() >= calmUntil));
    await calm.end();
    const field: Battlefield = { url: product.url, room: ROOM, ...people };
    return {
      attack: async (kind, seconds) => {
        const pid = product.serverPid();
        const honest = new HonestMembers(ROOM);
        await honest.begin(product.url, people);
        const [person] = people.honest;
        if (person === undefined) throw new Error("there are no honest members");
        const slow = new SlowListener(product.url, people.anonKey, person, ROOM);
        const memory = watchMemory(product);
        let over = false;
        const [outcome, experience] = await Promise.all([
          sendHostiles({ kind: kind.name, clients: CLIENTS, seconds, field }).finally(
            () => (over = true),
          ),
          honest.live(() => over),
        ]);
        const lost = slow.lost();
        if (lost !== undefined) experience.failures[lost] = 1;
        slow.end();
        await honest.end();
        const recoveryMs = await recover(product.url, people.anonKey);
        const stayed = product.serverPid() === pid;
        return {
          kind,
          seconds,
          slowness,
          outcome,
          experience,
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
