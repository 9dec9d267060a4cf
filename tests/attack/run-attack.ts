import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { HonestMembers } from "./honest.ts";
import type { Orders, Outcome } from "./hostile-process.ts";
import type { AttackResult } from "./judge.ts";
import type { AttackKind, Battlefield } from "./kind.ts";
import { makePeople } from "./people.ts";
import { startAttackedProduct, type AttackedProduct } from "./product.ts";
import { SlowListener } from "./slow-listener.ts";

const CLIENTS = 10;
const ROOM = "general";
const sampleEveryMs = 500;
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
        const stayed = product.serverPid() === pid;
        return { kind, seconds, outcome, experience, memory: memory.stop(), stayed };
      },
      close: product.stop,
    };
  } catch (error) {
    await product.stop();
    throw error;
  }
}
