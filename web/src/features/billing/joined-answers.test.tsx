import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderPage, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { SubscriptionsPage } from "./pages/subscriptions-page.tsx";
import { planRows, subscriptionRow } from "./testing/subscription-rows.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const subscription = "GET /rest/v1/stripe_subscriptions";
const complimentary = "GET /rest/v1/complimentary_memberships";
const down: Reply = { status: 500, body: { code: "XX000", message: "down" } };
const noPlan = () => screen.queryByText("You have no plan yet");
const failure = () => screen.queryByText("We couldn't load your subscription");

/** Answers the two calls when the test says so. */
function open(rows: object = {}) {
  const waiting = new Map<string, ((reply: Reply | undefined) => void)[]>();
  const broken = new Set<string>();
  renderPage(<SubscriptionsPage />, {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      plans: planRows,
      stripe_subscriptions: subscriptionRow(),
      complimentary_memberships: [],
      ...rows,
    },
    reply: ({ call }) => {
      if (call !== subscription && call !== complimentary) return undefined;
      if (broken.has(call)) return down;
      return new Promise((resolve) => {
        waiting.set(call, [...(waiting.get(call) ?? []), resolve]);
      });
    },
  });
  const settle = async (call: string, reply: Reply | undefined) => {
    for (const resolve of waiting.get(call) ?? []) resolve(reply);
    waiting.delete(call);
    await act(() => vi.advanceTimersByTimeAsync(100));
  };
  return {
    start: () => act(() => vi.advanceTimersByTimeAsync(100)),
    answer: (call: string) => settle(call, undefined),
    /** Every call from now on fails. */
    fail: async (call: string) => {
      broken.add(call);
      await settle(call, down);
      await act(() => vi.advanceTimersByTimeAsync(30_000));
    },
  };
}

describe("the subscription and the complimentary membership", () => {
  it("leave open whether there is a plan while only the second is known", async () => {
    const { start, answer } = open();
    await start();
    await answer(complimentary);
    expect(noPlan()).not.toBeInTheDocument();
    expect(screen.getByText("Loading your subscription")).toBeInTheDocument();
    await answer(subscription);
    expect(screen.getByText("Student Access")).toBeVisible();
    expect(noPlan()).not.toBeInTheDocument();
  });

  it("show the paid plan while only the first is known", async () => {
    const { start, answer } = open();
    await start();
    await answer(subscription);
    expect(screen.getByText("Student Access")).toBeVisible();
    expect(noPlan()).not.toBeInTheDocument();
  });

  it.each([
    [complimentary, subscription],
    [subscription, complimentary],
  ])("say that there is no plan once both are in, %s first", async (first, second) => {
    const { start, answer } = open({ stripe_subscriptions: null });
    await start();
    await answer(first);
    expect(noPlan()).not.toBeInTheDocument();
    await answer(second);
    expect(noPlan()).toBeVisible();
    expect(screen.getByRole("link", { name: "View plans" })).toBeVisible();
  });

  it.each([
    ["before", [complimentary], subscription],
    ["after", [], subscription],
    ["before", [subscription], complimentary],
    ["after", [], complimentary],
  ])("say that they failed, the other %s it: %s, %s", async (_order, before, failing) => {
    const other = failing === subscription ? complimentary : subscription;
    const { start, answer, fail } = open({ stripe_subscriptions: null });
    await start();
    for (const call of before) await answer(call);
    await fail(failing);
    if (before.length === 0) {
      await answer(other);
      // A call that failed is repeated once the other says that it is needed.
      await fail(failing);
    }
    expect(noPlan()).not.toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "View plans" })).not.toBeInTheDocument();
    expect(failure()).toBeVisible();
  });

  it("show the plan that is paid although the other failed", async () => {
    const { start, answer, fail } = open();
    await start();
    await answer(subscription);
    await fail(complimentary);
    expect(screen.getByText("Student Access")).toBeVisible();
    expect(failure()).not.toBeInTheDocument();
  });
});
