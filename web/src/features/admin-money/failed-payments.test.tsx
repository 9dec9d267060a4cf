import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const owed = {
  invoice_id: "in_1",
  number: "F4-0001",
  amount_pence: 5000,
  currency: "gbp",
  attempts: 2,
  next_attempt_at: "2026-12-05T10:00:00Z",
  failure_code: "insufficient_funds",
  issued_at: "2026-11-28T10:00:00Z",
  membership: "past_due",
  card_last4: "0341",
  user_id: "u1",
  email: "grace@example.com",
  first_name: "Grace",
  last_name: "Hopper",
};
const figures = {
  revenue_pence: 0,
  refunded_pence: 0,
  vat_pence: 0,
  open_disputes: 0,
  failed_events: 0,
  complimentary: 0,
};

function open(answer: Reply, list: object[] = [owed]) {
  return renderApp("/admindash/money?view=failed", {
    session: sessionOf(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call }) => {
      if (call.endsWith("/admin_money_figures")) return { body: figures };
      if (call.endsWith("/admin_failed_payments")) return { body: list };
      if (call.endsWith("/admin-retry-payment")) return answer;
      return call.endsWith("/admin_send_payment_link") ? answer : undefined;
    },
  });
}

const press = async (name: string | RegExp) =>
  await userEvent.click(await screen.findByRole("button", { name }));

describe("the failed payments", () => {
  it("say who owes how much, how often it was tried, when next, and why it was refused", async () => {
    open({});
    expect(await screen.findByText("Grace Hopper")).toBeVisible();
    expect(screen.getByText("£50")).toBeVisible();
    expect(screen.getByText(/tried 2 times · next try on 5 December 2026/)).toBeVisible();
    expect(screen.getByText("Declined: not enough money on the card")).toBeVisible();
  });

  it("say that nothing is owed, and that no try follows", async () => {
    const { unmount } = open({}, []);
    expect(await screen.findByText("Nothing is owed")).toBeVisible();
    unmount();
    open({}, [{ ...owed, next_attempt_at: null, failure_code: "something_new" }]);
    expect(await screen.findByText(/no more tries/)).toBeVisible();
    expect(screen.getByText("Declined: something new")).toBeVisible();
  });

  it("offer no link where another card brings nothing back", async () => {
    open({}, [{ ...owed, membership: "unpaid" }]);
    expect(await screen.findByRole("button", { name: /^Retry/ })).toBeVisible();
    expect(screen.queryByRole("button", { name: /link/ })).not.toBeInTheDocument();
  });

  it.each([
    [{ body: { paid: true } }, "Grace Hopper paid £50."],
    [
      { status: 402, body: { code: "payment_declined", error: "Declined.", reason: "lost_card" } },
      "Declined: the card is reported lost (don't tell the member)",
    ],
    [{ status: 502, body: { code: "provider_unavailable" } }, /We don't know whether it was paid/],
    [{ status: 429, body: { code: "FF278", error: "Tried 4 times." } }, "Tried 4 times."],
  ])("are tried again, and the answer is told: %o", async (answer, text) => {
    const { seen } = open(answer);
    await press("Retry now: Grace Hopper's payment");
    expect(await screen.findByText(text)).toBeVisible();
    const sent = seen.filter(({ call }) => call.endsWith("/admin-retry-payment"));
    expect(sent.map(({ body }) => body)).toEqual([
      { invoice_id: "in_1", request_id: expect.stringMatching(/^[\da-f-]{36}$/) },
    ]);
    // The list is read again.
    await waitFor(() =>
      expect(
        seen.filter(({ call }) => call.endsWith("/admin_failed_payments")).length,
      ).toBeGreaterThan(1),
    );
  });

  it.each([
    [{ body: true }, "The email with the link is on its way."],
    [{ body: false }, "The link was sent today already."],
    [{ status: 400, body: { code: "FF277", message: "This payment isn't owed." } }, /isn't owed/],
  ])("send the link: %o", async (answer, text) => {
    open(answer);
    await press("Send link to Grace Hopper");
    expect(await screen.findByText(text)).toBeVisible();
  });

  it("give the link that leads to the card form", async () => {
    const user = userEvent.setup();
    open({});
    await user.click(await screen.findByRole("button", { name: "Copy link for Grace Hopper" }));
    expect(await screen.findByText(/The link was copied/)).toBeVisible();
    expect(await navigator.clipboard.readText()).toMatch(/\/subscriptions\?card=update$/);
  });
});
