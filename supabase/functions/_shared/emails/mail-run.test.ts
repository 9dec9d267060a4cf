import { describe, expect, it } from "vitest";
import type { ClaimedEmail } from "./email-outbox.ts";
import { MailServerBusy, MailServerDown } from "./mail-transport.ts";
import { runSenders, type MailRunOptions } from "./mail-run.ts";

const busy = () => new MailServerBusy("slow down", { cause: new Error("454 Throttling failure") });

/** An outbox in memory: what is released or fails is not due again in this run. */
function world(count: number, options: Partial<MailRunOptions> = {}) {
  const waiting = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    address: `${index}@example.test`,
  })) as ClaimedEmail[];
  const [recorded, released, pauses, closed] = [
    new Map<string, string | null>(),
    new Set<string>(),
    [] as number[],
    [] as string[],
  ];
  let opened = 0;
  const run = async (deliver: MailRunOptions["deliver"]) =>
    await runSenders({
      outbox: {
        claim: async () => await Promise.resolve(waiting.shift()),
        release: async ({ id }) => {
          released.add(id);
          await Promise.resolve();
        },
        record: async ({ id }, error) => {
          recorded.set(id, error);
          return await Promise.resolve(error === null ? "sent" : "pending");
        },
      },
      openTransport: () => {
        opened += 1;
        const send = async () => await Promise.resolve();
        return { send, close: () => closed.push("closed") };
      },
      deliver,
      connections: 3,
      most: Infinity,
      maxMs: 60_000,
      onError: () => undefined,
      pause: async (ms) => {
        pauses.push(ms);
        await Promise.resolve();
      },
      ...options,
    });
  return { run, waiting, recorded, released, pauses, closed, opened: () => opened };
}

describe("senders", () => {
  it("wait for the first answer of the mail server, and each closes its connection", async () => {
    const { run, opened, closed } = world(10);
    let atFirst = 0;
    await run(async ({ send }, { id }) => {
      if (id === "0") atFirst = opened();
      await send({} as never);
    });
    expect(atFirst).toBe(1);
    expect(opened()).toBe(3);
    expect(closed).toHaveLength(3);
  });

  it("pause longer and longer when even one is too many, and end the run after the fifth pause", async () => {
    const { run, pauses, recorded, waiting, opened } = world(20);
    const result = await run(async () => await Promise.reject(busy()));
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000]);
    expect(opened()).toBe(1);
    // Each of the six was an attempt, so that an e-mail that is the reason itself is given up some day.
    expect(recorded.size).toBe(6);
    expect(result).toEqual({ sent: 0, delayed: 6, failed: 0 });
    expect(waiting).toHaveLength(14);
  });

  it("go on after a pause, which begins anew after an e-mail that was taken", async () => {
    const { run, pauses, recorded } = world(8, { connections: 1 });
    await run(async (_transport, { id }) => {
      await (Number(id) % 2 === 0 ? Promise.reject(busy()) : Promise.resolve());
    });
    expect(pauses).toEqual([1000, 1000, 1000, 1000]);
    expect([...recorded.values()].filter((error) => error === null)).toHaveLength(4);
  });

  it("end one after the other when the server goes, and only the last counts an attempt", async () => {
    const { run, recorded, released, waiting } = world(10);
    const result = await run(async (_transport, { id }) => {
      if (id !== "0") throw await Promise.resolve(new MailServerDown("gone"));
    });
    expect([...recorded.keys()]).toHaveLength(2);
    expect(released.size).toBe(2);
    expect(waiting).toHaveLength(6);
    expect(result).toEqual({ sent: 1, delayed: 3, failed: 0 });
  });

  it("stop when the database cannot record a result, and the run fails", async () => {
    let claimed = 0;
    const { run } = world(0, {
      most: 1000,
      outbox: {
        claim: async () => {
          claimed += 1;
          return await Promise.resolve({ id: String(claimed), address: "a" } as ClaimedEmail);
        },
        release: async () => await Promise.resolve(),
        record: async ({ id }) => {
          if (id === "2") throw await Promise.resolve(new Error("record_email_result"));
          return "sent";
        },
      },
    });
    await expect(run(async () => await Promise.resolve())).rejects.toThrow("record_email_result");
    expect(claimed).toBeLessThan(20);
  });

  it("never tell the address", async () => {
    const errors: string[] = [];
    const { run, recorded } = world(1, { onError: (_email, error) => errors.push(error) });
    await run(async () => await Promise.reject(new Error("550 <0@example.test> is unknown")));
    expect(`${errors.join()} ${recorded.get("0")}`).not.toContain("0@example.test");
  });
});
