import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { answerCode, verifiedSession } from "@/app/testing/second-factor.ts";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const figures = {
  revenue_pence: 123_456,
  refunded_pence: 5000,
  vat_pence: 19_743,
  open_disputes: 1,
  failed_events: 0,
  complimentary: 2,
};
const trend = {
  monthly_revenue_pence: 55_000,
  months: [{ month: "2026-11-01", net_pence: 10_000, members: 9, lost: 0 }],
  reasons: [],
};
const payment = {
  payment_id: "ch_1",
  paid_at: "2026-11-01T10:00:00Z",
  amount_pence: 5000,
  refunded_pence: 0,
  currency: "gbp",
  state: "paid",
  invoice_number: "A-0001",
  invoice_reason: "subscription_create",
  card_brand: "visa",
  card_last4: "4242",
  user_id: "u1",
  email: "grace@example.com",
  first_name: "Grace",
  last_name: "Hopper",
};

const failedEvent = {
  event_id: "evt_1",
  event_type: "invoice.paid",
  attempts: 3,
  first_failed_at: "2026-11-01T10:00:00Z",
  last_failed_at: "2026-11-02T10:00:00Z",
  last_error: "No such customer",
};

/** The page as an administrator sees it; `refund` answers the acts in turn. */
function open(
  refunds: Reply[] = [],
  payments: Reply = { body: [payment] },
  unfinished: object[] = [],
  made: object[] = [],
  search = "",
) {
  return renderApp(`/admindash/money${search}`, {
    session: verifiedSession(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call, body }) => {
      const checked = answerCode(call, body);
      if (checked) return checked;
      if (call.endsWith("/admin_money_figures")) return { body: figures };
      if (call.endsWith("/admin_money_trend")) return { body: trend };
      if (call.endsWith("/admin_payments")) return payments;
      if (call.endsWith("/admin_unfinished_refunds")) return { body: unfinished };
      if (call.endsWith("/admin_refunds")) return { body: made };
      if (call.endsWith("/admin-refund-payment")) return refunds.shift();
      return undefined;
    },
  });
}

async function refund(amount: string, code = "123456"): Promise<void> {
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: /^Grace Hopper/ }));
  const panel = within(screen.getByRole("dialog"));
  expect(panel.getByText("Visa ending in 4242")).toBeVisible();
  await user.click(panel.getByRole("button", { name: "Refund" }));
  await user.clear(panel.getByLabelText("Amount in pounds"));
  await user.type(panel.getByLabelText("Amount in pounds"), amount);
  await user.type(panel.getByLabelText("Reason"), "Asked by email");
  await user.type(panel.getByLabelText(/Code from your authenticator app/), code);
  await user.click(panel.getByRole("button", { name: `Refund £${amount}` }));
}

describe("the page about money", () => {
  it.each(["", "?search=grace", "?view=codes"])(
    "shows at once what one came for, and no picture above it: %s",
    async (search) => {
      open([], { body: [payment] }, [], [], search);
      expect(await screen.findByLabelText("Show")).toHaveValue(
        search === "?view=codes" ? "codes" : "payments",
      );
      expect(await screen.findByText("Taken this month")).toBeVisible();
      expect(screen.queryByText("Twelve months")).not.toBeInTheDocument();
      expect(screen.queryByText("Loading the last twelve months")).not.toBeInTheDocument();
    },
  );

  it("has twelve months under their own name", async () => {
    open([], { body: [payment] }, [], [], "?view=months");
    expect(await screen.findByRole("region", { name: "Twelve months" })).toBeVisible();
  });

  it("opens the newest payment of one account that can be refunded, and leaves the list behind it", async () => {
    const other = { ...payment, payment_id: "ch_9", user_id: "u9", email: "a.grace@example.com" };
    const back = { ...payment, payment_id: "ch_8", state: "refunded", refunded_pence: 5000 };
    const older = { ...payment, payment_id: "ch_0", amount_pence: 4000 };
    const search = "?search=grace%40example.com&refund=u1";
    open([], { body: [other, back, payment, older] }, [], [], search);
    const panel = within(await screen.findByRole("dialog", { name: "£50 payment" }));
    expect(panel.getByText("ch_1")).toBeVisible();
    expect(panel.getByRole("button", { name: "Refund" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(window.location.search).toBe("?search=grace%40example.com");
    expect(screen.getAllByRole("button", { name: /^Grace Hopper/ })).toHaveLength(4);
  });

  it("shows pounds for pence", async () => {
    open();
    expect(await screen.findByText("£1,234.56")).toBeVisible();
    // What is left after refunds and the VAT in it.
    expect(screen.getByText("£987.13")).toBeVisible();
    expect(screen.getByText("£197.43 VAT")).toBeVisible();
  });

  it("keeps the payments in sight while a search is answered", async () => {
    const found = Promise.withResolvers<Reply>();
    renderApp("/admindash/money", {
      session: verifiedSession(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call, body }) => {
        if (call.endsWith("/admin_money_figures")) return { body: figures };
        if (!call.endsWith("/admin_payments")) return undefined;
        return JSON.stringify(body).includes("ada") ? found.promise : { body: [payment] };
      },
    });
    await screen.findByRole("button", { name: /^Grace Hopper/ });
    await userEvent.type(screen.getByLabelText("Search payments"), "ada{Enter}");
    expect(window.location.search).toBe("?search=ada");
    expect(screen.getByRole("button", { name: /^Grace Hopper/ })).toBeVisible();
    found.resolve({ body: [] });
    expect(await screen.findByText("No payments match")).toBeVisible();
  });

  it("says that a refund without an answer is unclear, and repeats the same request", async () => {
    const { seen } = open([
      { status: 502, body: { code: "provider_unavailable", error: "No answer" } },
      { body: { refund_id: "re_1", status: "succeeded" } },
    ]);
    await refund("12");
    expect(await screen.findByText(/We don't know whether £12 was refunded/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Refund £12" }));
    expect(await screen.findByText(/^Refunded £12 on /)).toBeVisible();
    const sent = seen.filter(({ call }) => call.endsWith("/admin-refund-payment"));
    expect(sent).toHaveLength(2);
    expect(sent[0]?.body).toMatchObject({ amount_pence: 1200, payment_id: "ch_1" });
    expect(sent[1]?.body).toEqual(sent[0]?.body);
  });

  it("asks for a code of the second factor before a refund, and sends none with a wrong one", async () => {
    const { seen } = open([{ body: { refund_id: "re_1", status: "succeeded" } }]);
    await refund("12", "12");
    expect(await screen.findByText("Enter all six digits of the code.")).toBeVisible();
    const code = screen.getByLabelText(/Code from your authenticator app/);
    await userEvent.type(code, "9999");
    expect(screen.queryByText("Enter all six digits of the code.")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Refund £12" }));
    expect(await screen.findByText(/That code isn't right/)).toBeVisible();
    const sent = () => seen.filter(({ call }) => call.endsWith("/admin-refund-payment"));
    expect(sent()).toEqual([]);
    await userEvent.type(code, "123456");
    await userEvent.click(screen.getByRole("button", { name: "Refund £12" }));
    expect(await screen.findByText(/^Refunded £12 on /)).toBeVisible();
    expect(sent()).toHaveLength(1);
  });

  it("says why a refund was refused, and asks anew", async () => {
    const { seen } = open([
      { status: 409, body: { code: "FF254", error: "A disputed payment." } },
      { body: { refund_id: "re_1", status: "pending" } },
    ]);
    await refund("12");
    expect(await screen.findByText("A disputed payment.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Refund £12" }));
    expect(await screen.findByText(/^Refund of £12 asked for on /)).toBeVisible();
    const ids = seen
      .filter(({ call }) => call.endsWith("/admin-refund-payment"))
      .map(({ body }) => (body as { request_id: string }).request_id);
    expect(new Set(ids).size).toBe(2);
  });

  it("offers to finish a refund without a known end instead of another one", async () => {
    const refund = {
      request_id: "3f0e9c52-7c31-4c0b-9a3e-6b8f0f3d1a11",
      payment_id: "ch_1",
      amount_pence: 700,
      reason: "Asked by email",
    };
    const { payment_id: id, user_id, email, first_name, last_name, currency } = payment;
    const payer = { payment_id: id, user_id, email, first_name, last_name, currency };
    const unfinished = [{ ...payer, ...refund, requested_at: "2026-11-02T10:00:00Z" }];
    const { seen } = open(
      [{ body: { refund_id: "re_1", status: "succeeded" } }],
      undefined,
      unfinished,
    );
    await userEvent.click(await screen.findByRole("button", { name: /^Grace Hopper/ }));
    const panel = within(screen.getByRole("dialog"));
    expect(await panel.findByText("A refund of £7 is not finished")).toBeVisible();
    expect(panel.queryByRole("button", { name: "Refund" })).toBeNull();
    await userEvent.click(panel.getByRole("button", { name: "Finish this refund" }));
    await userEvent.type(panel.getByLabelText(/Code from your authenticator app/), "123456");
    await userEvent.click(panel.getByRole("button", { name: "Finish this refund" }));
    expect(await screen.findByText(/^Refunded £7 on /)).toBeVisible();
    const sent = seen.find(({ call }) => call.endsWith("/admin-refund-payment"));
    expect(sent?.body).toEqual(refund);
  });

  it.each([
    ["of its own", { code: "FF256", message: "This event was processed." }, /^This event was/],
    ["of Postgres", { code: "40001", message: "could not serialize access" }, /^That wasn't done/],
    ["of the browser", new TypeError("Failed to fetch"), /^We don't know whether that was done/],
  ])("says what came of an act after an error %s", async (_, error, words) => {
    renderApp("/admindash/money?view=events", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call }) => {
        if (call.endsWith("/admin_money_figures")) return { body: figures };
        if (call.endsWith("/admin_failed_events")) return { body: [failedEvent] };
        if (!call.endsWith("/admin_clear_failed_event")) return undefined;
        return error instanceof Error ? Promise.reject(error) : { status: 400, body: error };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Clear" }));
    await userEvent.type(screen.getByLabelText("Reason"), "Of a customer who left");
    await userEvent.click(screen.getByRole("button", { name: "Clear this event" }));
    expect(await screen.findByText(words)).toBeVisible();
  });

  it("clears a failed event with a reason", async () => {
    const { seen } = renderApp("/admindash/money?view=events", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call }) => {
        if (call.endsWith("/admin_money_figures")) return { body: figures };
        if (call.endsWith("/admin_failed_events")) return { body: [failedEvent] };
        if (call.endsWith("/admin_clear_failed_event")) return { status: 204 };
        return undefined;
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Clear" }));
    await userEvent.click(screen.getByRole("button", { name: "Clear this event" }));
    expect(screen.getByText("Say why. It is recorded with your name.")).toBeVisible();
    await userEvent.type(screen.getByLabelText("Reason"), "Of a customer who left");
    await userEvent.click(screen.getByRole("button", { name: "Clear this event" }));
    expect(await screen.findByText("The event was cleared.")).toBeVisible();
    const sent = seen.find(({ call }) => call.endsWith("/admin_clear_failed_event"));
    expect(sent?.body).toEqual({ event: "evt_1", reason: "Of a customer who left" });
  });

  it("says that a refund failed, and offers another one", async () => {
    const { payment_id: id, user_id, email, first_name, last_name, currency } = payment;
    const payer = { payment_id: id, user_id, email, first_name, last_name, currency };
    const failed = {
      ...payer,
      refund_id: "re_1",
      status: "failed",
      amount_pence: 700,
      reason: "Asked by email",
      happened_at: "2026-11-02T10:00:00Z",
      invoice_number: null,
    };
    const made = { ...failed, refund_id: "re_2", status: "succeeded", reason: "Twice paid" };
    const later = { ...made, refund_id: "re_3", happened_at: "2026-11-05T10:00:00Z", reason: null };
    open(
      [],
      { body: [{ ...payment, refunded_pence: 1400, state: "partly_refunded" }] },
      [],
      [later, made, failed],
    );
    await userEvent.click(await screen.findByRole("button", { name: /^Grace Hopper/ }));
    const panel = within(screen.getByRole("dialog"));
    expect(await panel.findByText("A refund of £7 failed")).toBeVisible();
    expect(panel.getAllByText(/The bank returned the money/)).toHaveLength(1);
    expect(panel.getByRole("button", { name: "Refund" })).toBeEnabled();
    // Each that went through has its line.
    const lines = within(panel.getByRole("list", { name: "Refunds" })).getAllByRole("listitem");
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      "£7 on 5 November 2026",
      "£7 on 2 November 2026Twice paid",
    ]);
    await userEvent.keyboard("{Escape}");
    await userEvent.selectOptions(screen.getByLabelText("Show"), "Refunds");
    expect(await screen.findByText("Failed: the money came back")).toBeVisible();
  });

  it.each([
    ["new members only, unless another choice is made", undefined, true],
    ["everyone, when that is chosen", "all", false],
  ])("makes a coupon for %s", async (_, audience, isForNewMembers) => {
    const { seen } = renderApp("/admindash/money?view=codes", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call }) => {
        if (call.endsWith("/admin_money_figures")) return { body: figures };
        if (call.endsWith("/admin_trial_codes")) return { body: [] };
        if (call.endsWith("/admin-coupons")) return { body: { coupons: [] } };
        return undefined;
      },
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "New code" }));
    const form = within(screen.getByRole("dialog"));
    await user.type(form.getByLabelText("Code"), "spring-25");
    await user.type(form.getByLabelText("Per cent off"), "25");
    if (audience !== undefined) await user.selectOptions(form.getByLabelText("For"), audience);
    await user.type(form.getByLabelText("Reason"), "Spring campaign");
    await user.click(form.getByRole("button", { name: "Make code" }));
    const made = () =>
      seen.map(({ body }) => body as Record<string, unknown> | null).find((body) => body?.["code"]);
    await waitFor(() => expect(made()).toBeDefined());
    expect(made()).toMatchObject({
      code: "SPRING-25",
      percent_off: 25,
      new_members_only: isForNewMembers,
    });
  });

  it("offers to try again when payments cannot be loaded", async () => {
    open([], { status: 400, body: { code: "X", message: "no" } });
    expect(await screen.findByText("We couldn't load the payments")).toBeVisible();
  });
});
