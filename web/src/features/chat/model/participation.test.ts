import { expect, it, vi } from "vitest";
import { createManualClock } from "@/lib/testing/manual-clock.ts";
import { createParticipation } from "./participation.ts";

function place(failing = false) {
  const clock = createManualClock();
  const calls: string[] = [];
  const say = (what: string) => () => {
    calls.push(what);
    return failing ? Promise.reject(new Error("cut")) : Promise.resolve();
  };
  const participation = createParticipation({
    join: say("join"),
    leave: say("leave"),
    leaveOnUnload: () => void calls.push("beacon"),
    clock,
  });
  return { clock, calls, participation };
}

it("joins once, renews every 30 s, and leaves once", async () => {
  const { clock, calls, participation } = place();
  participation.enter();
  participation.enter();
  await clock.advance(61_000);
  participation.leave();
  participation.leave();
  participation.hide();
  await clock.advance(61_000);
  expect(calls).toEqual(["join", "join", "join", "leave"]);
});

it("leaves by beacon when the page is hidden, not again when it closes, and joins again when shown", async () => {
  const { clock, calls, participation } = place();
  participation.enter();
  await clock.advance(0);
  participation.hide();
  participation.hide();
  participation.leave();
  participation.enter();
  await clock.advance(0);
  expect(calls).toEqual(["join", "beacon", "join"]);
});

it("does not leave before joining was answered", async () => {
  const { clock, calls, participation } = place();
  participation.enter();
  participation.leave();
  await clock.advance(0);
  expect(calls).toEqual(["join", "leave"]);
});

it("only logs failures", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const { clock, calls, participation } = place(true);
  participation.enter();
  participation.leave();
  await clock.advance(0);
  expect(calls).toEqual(["join", "leave"]);
  expect(log).toHaveBeenCalledTimes(2);
});

it("joins again at once after another window left, but only while the room is visible", async () => {
  const { clock, calls, participation } = place();
  participation.renew();
  participation.enter();
  await clock.advance(10_000);
  participation.renew();
  await clock.advance(29_000);
  expect(calls).toEqual(["join", "join"]);
  participation.hide();
  participation.renew();
  await clock.advance(61_000);
  expect(calls).toEqual(["join", "join", "beacon"]);
});
