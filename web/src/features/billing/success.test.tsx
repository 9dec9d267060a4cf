import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderPage, sessionOf, type Rows } from "@/app/testing/test-app.tsx";
import { SuccessPage } from "./pages/success-page.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function pass(milliseconds: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

/** Lets answers arrive and be shown, in about a millisecond of the clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await pass(0);
  await pass(1);
}

const asked = "GET /rest/v1/stripe_subscriptions";
const newcomer = (role = "student"): Rows => ({
  ...memberRows({ role }),
  profiles: { id: "x", role, onboarding_complete: false },
});

async function open(rows: Rows, status: { now: string }) {
  const view = renderPage(<SuccessPage />, {
    session: sessionOf(),
    rows,
    reply: ({ call }) =>
      call === asked
        ? { body: [{ customer_id: "cus_1", subscription_id: "s", status: status.now }] }
        : undefined,
  });
  await settle();
  return { ...view, polls: () => view.calls().filter((call) => call === asked).length };
}

describe("/success", () => {
  it("polls every two seconds until the membership is active", async () => {
    const status = { now: "incomplete" };
    const { polls } = await open(newcomer(), status);
    expect(screen.queryByText("Payment Successful")).not.toBeInTheDocument();
    expect(screen.getByText("We are activating your membership…")).toBeVisible();
    expect(polls()).toBe(1);
    await pass(1950);
    expect(polls()).toBe(1);
    await pass(50);
    await settle();
    expect(polls()).toBe(2);
    status.now = "active";
    await pass(2000);
    await settle();
    expect(polls()).toBe(3);
    expect(screen.getByText("Your membership is active.")).toBeVisible();
    expect(screen.getByText("Taking you to the next step…")).toBeVisible();
    expect(screen.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
    expect(screen.getByText(/Within 7 days, write down what you earn a month/)).toBeVisible();
    await pass(2900);
    expect(polls()).toBe(3);
  });

  it.each([
    ["/onboarding", newcomer()],
    ["/mentordash", memberRows({ role: "mentor" })],
    ["/studentdash", memberRows()],
  ])("redirects to %s three seconds after activation", async (target, rows) => {
    await open(rows, { now: "active" });
    expect(screen.getByRole("button", { name: "Continue" })).toBeVisible();
    await pass(2950);
    expect(screen.queryByText(/Now at/)).not.toBeInTheDocument();
    await pass(50);
    expect(screen.getByText(`Now at ${target}`)).toBeVisible();
  });

  it("claims no payment for a trial, and leads on", async () => {
    await open(newcomer(), { now: "trialing" });
    expect(screen.getByRole("heading", { name: "Your Trial Has Begun" })).toBeVisible();
    expect(screen.queryByText("Payment Successful")).not.toBeInTheDocument();
    await pass(3000);
    expect(screen.getByText("Now at /onboarding")).toBeVisible();
  });

  it("continues at once on request, even before activation", async () => {
    await open(newcomer(), { now: "incomplete" });
    fireEvent.click(screen.getByRole("button", { name: "Continue Anyway" }));
    await settle();
    expect(screen.getByText("Now at /onboarding")).toBeVisible();
  });

  it("keeps polling when the server does not answer", async () => {
    const view = renderPage(<SuccessPage />, {
      session: sessionOf(),
      rows: newcomer(),
      reply: ({ call }) =>
        call === "GET /rest/v1/stripe_subscriptions"
          ? { status: 500, body: { message: "down", code: "XX000" } }
          : undefined,
    });
    await settle();
    const before = view.calls().length;
    expect(screen.getByText(/Nothing is lost, and we'll keep trying/)).toBeVisible();
    expect(screen.queryByText("Payment Successful")).not.toBeInTheDocument();
    await pass(2000);
    await settle();
    expect(view.calls().length).toBeGreaterThan(before);
  });

  it.each([
    [
      "canceled",
      "Your Membership Is Not Active",
      /Your membership has ended/,
      "View plans",
      "/paywall",
    ],
    [
      "incomplete_expired",
      "Your Membership Is Not Active",
      /^Your first payment didn't go through, and you haven't been charged/,
      "View plans",
      "/paywall",
    ],
    [
      "unpaid",
      "Your Membership Is Not Active",
      /Several payments failed/,
      "View plans",
      "/paywall",
    ],
    ["paused", "Your Membership Is Not Active", /paused/, "View plans", "/paywall"],
    [
      "past_due",
      "Your Membership Is Not Active",
      /last payment failed/,
      "Go to Membership",
      "/subscriptions",
    ],
    ["not_started", "No Payment Yet", /Choose a plan/, "View plans", "/paywall"],
  ])("claims no payment when the status is %s", async (status, title, text, step, target) => {
    const { polls } = await open(newcomer(), { now: status });
    expect(screen.getByRole("heading", { name: title })).toBeVisible();
    expect(screen.queryByText("Payment Successful")).not.toBeInTheDocument();
    expect(screen.getByText(text)).toBeVisible();
    expect(screen.getByRole("link", { name: step })).toHaveAttribute("href", target);
    await pass(2000);
    await settle();
    expect(polls()).toBe(2);
  });

  it("claims no payment when nothing was ever bought", async () => {
    renderPage(<SuccessPage />, {
      session: sessionOf(),
      rows: { ...newcomer(), stripe_subscriptions: null },
    });
    await settle();
    expect(screen.getByRole("heading", { name: "No Payment Yet" })).toBeVisible();
    expect(screen.getByRole("link", { name: "View plans" })).toHaveAttribute("href", "/paywall");
  });

  it("leaves when no session can be restored", async () => {
    renderPage(<SuccessPage />);
    await settle();
    expect(screen.getByText("Now at /auth")).toBeVisible();
  });

  it("restores a session that could not be renewed at first", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    let attempts = 0;
    const session = { ...sessionOf(), expires_at: Math.floor(Date.now() / 1000) - 60 };
    const { calls } = renderPage(<SuccessPage />, {
      session,
      rows: newcomer(),
      reply: ({ call }) => {
        if (call !== "POST /auth/v1/token") return undefined;
        attempts += 1;
        return attempts === 1 ? Promise.reject(new TypeError("Failed to fetch")) : undefined;
      },
    });
    await settle();
    await pass(1000);
    await settle();
    expect(attempts).toBe(2);
    expect(screen.queryByText(/Now at/)).not.toBeInTheDocument();
    expect(calls()).toContain("GET /rest/v1/profiles");
  });
});
