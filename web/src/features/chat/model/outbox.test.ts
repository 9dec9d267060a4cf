import { describe, expect, it } from "vitest";
import { createManualClock } from "@/lib/testing/manual-clock.ts";
import type { MessageRow, Outgoing } from "./message.ts";
import { createOutbox, type DeliveryResult } from "./outbox.ts";

const words = (id: string, roomId = "general"): Outgoing => ({
  id,
  roomId,
  author: { id: "ada", name: "Ada", role: "student", occupation: "", avatarUrl: null },
  content: `words of ${id}`,
  quote: null,
  writtenAt: 0,
});
const saved: DeliveryResult = { kind: "saved", row: {} as MessageRow };
const silent: DeliveryResult = { kind: "unreachable" };

/** An outbox before a server that answers as the test says. */
function desk(answers: DeliveryResult[] = []) {
  const clock = createManualClock();
  const network = { online: true };
  const delivered: string[] = [];
  let holding: ((attempt: DeliveryResult) => void) | null = null;
  const server = { hold: false };
  const outbox = createOutbox({
    isOnline: () => network.online,
    clock,
    deliver: ({ id }) => {
      delivered.push(id);
      if (server.hold) return new Promise((resolve) => (holding = resolve));
      return Promise.resolve(answers.shift() ?? saved);
    },
  });
  const shown = () =>
    outbox.getState().entries.map(({ message, delivery }) => [message.id, delivery]);
  return {
    outbox,
    clock,
    network,
    delivered,
    server,
    shown,
    answer: (a: DeliveryResult) => holding?.(a),
  };
}

describe("sending", () => {
  it("sends one message at a time, in order", async () => {
    const { outbox, clock, server, shown, delivered, answer } = desk();
    server.hold = true;
    outbox.submit(words("one"));
    outbox.submit(words("two"));
    await clock.advance(0);
    expect(shown()).toEqual([
      ["one", "sending"],
      ["two", "queued"],
    ]);
    answer(saved);
    await clock.advance(0);
    expect(delivered).toEqual(["one", "two"]);
    answer(saved);
    await clock.advance(0);
    expect(shown()).toEqual([]);
  });

  it("notifies listeners of saved messages before they leave the outbox", async () => {
    const { outbox, clock } = desk();
    const seen: unknown[] = [];
    outbox.onSaved(({ id }) => seen.push([id, outbox.getState().entries.length]));
    outbox.submit(words("one"));
    await clock.advance(0);
    expect(seen).toEqual([["one", 1]]);
  });

  it.each<[string, DeliveryResult, string | null]>([
    ["the server refuses", { kind: "rejected", reason: "Too fast." }, "Too fast."],
    ["no answer comes", silent, null],
  ])("gives the words back once when %s", async (_why, attempt, reason) => {
    const { outbox, clock, shown } = desk([attempt]);
    outbox.submit(words("one"));
    await clock.advance(0);
    expect(shown()).toEqual([]);
    expect(outbox.takeRejected("elsewhere")).toEqual([]);
    expect(outbox.takeRejected("general")).toEqual([{ message: words("one"), reason }]);
    expect(outbox.takeRejected("general")).toEqual([]);
  });
});

describe("without a network", () => {
  it("messages wait, and are sent once after reconnecting", async () => {
    const { outbox, clock, network, delivered, shown } = desk();
    network.online = false;
    outbox.submit(words("one"));
    outbox.submit(words("two"));
    await clock.advance(60_000);
    expect(delivered).toEqual([]);
    expect(shown()).toEqual([
      ["one", "queued"],
      ["two", "queued"],
    ]);
    network.online = true;
    outbox.resume();
    outbox.resume();
    await clock.advance(0);
    expect(delivered).toEqual(["one", "two"]);
    expect(shown()).toEqual([]);
  });

  it("an interrupted message waits too, and is retried with the same id", async () => {
    const { outbox, clock, network, server, shown, delivered, answer } = desk();
    server.hold = true;
    outbox.submit(words("one"));
    await clock.advance(0);
    network.online = false;
    answer(silent);
    await clock.advance(0);
    expect(shown()).toEqual([["one", "queued"]]);
    server.hold = false;
    network.online = true;
    outbox.resume();
    await clock.advance(0);
    expect(delivered).toEqual(["one", "one"]);
    expect(shown()).toEqual([]);
  });

  it("retries with growing delays while online and the server does not answer", async () => {
    const { outbox, clock, network, delivered, shown } = desk([silent, silent, silent]);
    network.online = false;
    outbox.submit(words("one"));
    network.online = true;
    outbox.resume();
    await clock.advance(0);
    expect(shown()).toEqual([["one", "queued"]]);
    await clock.advance(999);
    expect(delivered).toHaveLength(1);
    await clock.advance(1);
    expect(delivered).toHaveLength(2);
    await clock.advance(2000);
    expect(delivered).toHaveLength(3);
    await clock.advance(5000);
    expect(delivered).toHaveLength(4);
    expect(shown()).toEqual([]);
  });

  it("a rejected message returns to its author", async () => {
    const { outbox, clock, network, shown } = desk([{ kind: "rejected", reason: null }]);
    network.online = false;
    outbox.submit(words("one"));
    network.online = true;
    outbox.resume();
    await clock.advance(0);
    expect(shown()).toEqual([]);
    expect(outbox.takeRejected("general")).toHaveLength(1);
  });
});

it("clears the outbox when another account signs in, including the pending message", async () => {
  const { outbox, clock, server, shown, answer } = desk();
  server.hold = true;
  outbox.submit(words("one"));
  outbox.submit(words("two"));
  await clock.advance(0);
  outbox.clear();
  answer({ kind: "rejected", reason: null });
  await clock.advance(0);
  expect(shown()).toEqual([]);
  expect(outbox.takeRejected("general")).toEqual([]);
});
