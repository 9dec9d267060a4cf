import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import userEvent from "@testing-library/user-event";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { removeScript } from "@/app/testing/fake-stripe.ts";
import {
  answerSubscription,
  mentorPrice,
  planRows,
  subscriptionRow,
} from "./testing/subscription-rows.ts";

const previewCall = "POST /functions/v1/stripe-preview-plan-change";
const changeCall = "POST /functions/v1/stripe-change-plan";
const undoCall = "POST /functions/v1/stripe-cancel-plan-change";

const upgrade = {
  quote_id: "quote_1",
  kind: "upgrade",
  currency: "gbp",
  due_now: 2000,
  lines: [
    { description: "Unused time on Student Access", amount: -2500 },
    { description: "Remaining time on Mentor Access", amount: 5000 },
    { description: "Discount", amount: -300 },
  ],
  next_amount: 9000,
  next_at: 1_798_761_600,
};
const accepted: Reply = { body: { success: true, requires_action: false, result: "changed" } };

afterEach(() => removeScript());

function openPage(
  differs: object = {},
  answer: (request: { call: string }) => Reply | undefined = () => undefined,
  profile: Parameters<typeof memberRows>[0] = {},
) {
  const { row, reply } = answerSubscription(differs, answer);
  const rows = { ...memberRows(profile), plans: planRows };
  return { ...renderApp("/subscriptions", { session: sessionOf(), rows, reply }), row };
}

const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole("button", { name }));

/** Opens the switch to the mentor plan; `answers` are those of the change, the last one for ever. */
async function openSwitch(answers: (Reply | Error)[], differs: object = {}) {
  let asked = 0;
  const reply = ({ call }: { call: string }) => {
    if (call === previewCall) return { body: upgrade };
    if (call !== changeCall) return undefined;
    asked += 1;
    const answer = answers[Math.min(asked, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const view = openPage(differs, reply);
  await press("View plans");
  await press("Switch to Mentor Access");
  return view;
}

const form = () => screen.getByRole("region", { name: "Switch to Mentor Access" });
const quotesSent = (view: { seen: readonly { call: string; body: unknown }[] }) =>
  view.seen.filter(({ call }) => call === changeCall).map(({ body }) => body);

describe("a switch of plan", () => {
  it("shows lines and a reduction that add up to what is due, and the next payments", async () => {
    await openSwitch([accepted]);
    await screen.findByRole("button", { name: "Pay £20 and Switch" });
    const rows = within(form())
      .getAllByRole("term")
      .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent ?? ""}`);
    expect(rows).toEqual([
      "Unused time on Student Access -£25",
      "Remaining time on Mentor Access £50",
      "Discount -£3",
      "Credit used -£2",
      "Due now £20",
    ]);
    expect(form()).toHaveTextContent(
      "From 1 January 2027 we charge £90; without discounts or credit it's £100 per month.",
    );
  });

  it("is done once the subscription shows it", async () => {
    const { row } = await openSwitch([accepted]);
    row.now = subscriptionRow({ price_id: mentorPrice });
    await press("Pay £20 and Switch");
    expect(await screen.findByText("You're on Mentor Access now.")).toBeVisible();
    expect(screen.queryByRole("region", { name: /^Switch to/ })).not.toBeInTheDocument();
  });

  it("is being confirmed until then, and found by itself", async () => {
    const { row } = await openSwitch([accepted]);
    await press("Pay £20 and Switch");
    expect(await screen.findByText("We're confirming your switch to Mentor Access…")).toBeVisible();
    expect(screen.queryByText(/You're on/)).not.toBeInTheDocument();
    row.now = subscriptionRow({ price_id: mentorPrice });
    expect(await screen.findByText("You're on Mentor Access now.")).toBeVisible();
  });

  it("that is planned and undone is over", async () => {
    const { row } = await openSwitch([{ body: { success: true, result: "planned" } }]);
    row.now = subscriptionRow({ pending_price_id: mentorPrice, pending_from: 1_798_761_600 });
    await press("Pay £20 and Switch");
    await screen.findByText("You switch to Mentor Access on 1 January 2027");
    row.now = subscriptionRow();
    await press("Undo the Switch");
    await waitFor(() => expect(screen.queryByText(/^You switch to/)).not.toBeInTheDocument());
    expect(screen.queryByText(/We're confirming your switch/)).not.toBeInTheDocument();
    expect(screen.queryByRole("region", { name: /^Switch to/ })).not.toBeInTheDocument();
  });

  it.each<[string, Reply | Error]>([
    ["nothing answers", new TypeError("Failed to fetch")],
    ["the server fails", { status: 502, body: { error: "provider_unavailable" } }],
  ])("reads the subscription again when %s, and claims nothing", async (_name, answer) => {
    const view = await openSwitch([answer]);
    await screen.findByRole("button", { name: "Pay £20 and Switch" });
    const before = view.calls().filter((call) => call === "GET /rest/v1/stripe_subscriptions");
    await press("Pay £20 and Switch");
    const alert = await screen.findByText("We don't know yet if your switch went through");
    expect(alert).toBeVisible();
    expect(screen.queryByText(/nothing has been charged|You're on/i)).not.toBeInTheDocument();
    const after = view.calls().filter((call) => call === "GET /rest/v1/stripe_subscriptions");
    expect(after.length).toBeGreaterThan(before.length);
    view.row.now = subscriptionRow({ price_id: mentorPrice });
    await press("Check Again");
    expect(await screen.findByText("You're on Mentor Access now.")).toBeVisible();
    expect(screen.queryByRole("region", { name: /^Switch to/ })).not.toBeInTheDocument();
  });

  it("repeats an unclear switch with the same quote, which is paid once", async () => {
    const view = await openSwitch([{ status: 500, body: {} }, accepted]);
    await press("Pay £20 and Switch");
    await screen.findByText("We don't know yet if your switch went through");
    view.row.now = subscriptionRow({ price_id: mentorPrice });
    await press("Pay £20 and Switch");
    expect(await screen.findByText("You're on Mentor Access now.")).toBeVisible();
    expect(quotesSent(view)).toEqual([{ quote_id: "quote_1" }, { quote_id: "quote_1" }]);
    expect(view.calls().filter((call) => call === previewCall)).toHaveLength(1);
  });

  it("that was refused says why and works out a new price", async () => {
    const view = await openSwitch([
      { status: 402, body: { success: false, error: "Your card was declined." } },
    ]);
    await press("Pay £20 and Switch");
    expect(await screen.findByText("Your card was declined.")).toBeVisible();
    await waitFor(() =>
      expect(view.calls().filter((call) => call === previewCall)).toHaveLength(2),
    );
  });

  it("works for a member whose plan is sold at another price by now", async () => {
    await openSwitch([accepted], { price_id: "price_of_last_year" });
    expect(await screen.findByRole("button", { name: "Pay £20 and Switch" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Stay on Student Access" })).toBeVisible();
    expect(screen.getByText("At an earlier price, which your invoices show")).toBeVisible();
  });

  it("is not offered to the plan a member has at an earlier price", async () => {
    openPage({ price_id: "price_of_last_year" }, () => undefined, { role: "mentor" });
    await press("View plans");
    const plans = await screen.findByRole("dialog", { name: "Plans" });
    expect(within(plans).getByRole("button", { name: "Switch to Student Access" })).toBeVisible();
    expect(
      within(plans).queryByRole("button", { name: "Switch to Mentor Access" }),
    ).not.toBeInTheDocument();
  });
});

describe("a planned switch", () => {
  const planned = {
    pending_price_id: mentorPrice,
    pending_from: 1_798_761_600,
    pending_change_id: "sub_sched_1",
  };

  it("is undone by the id the page shows", async () => {
    const { seen, row } = openPage(planned, ({ call }) =>
      call === undoCall ? { body: { message: "ok" } } : undefined,
    );
    await screen.findByText("You switch to Mentor Access on 1 January 2027");
    row.now = subscriptionRow();
    await press("Undo the Switch");
    await waitFor(() => expect(screen.queryByText(/^You switch to/)).not.toBeInTheDocument());
    expect(seen.find(({ call }) => call === undoCall)?.body).toEqual({ change_id: "sub_sched_1" });
  });

  it("that another window has replaced is shown after the refusal", async () => {
    const error = "This change of plan is not planned any more.";
    const { row } = openPage(planned, ({ call }) =>
      call === undoCall ? { status: 409, body: { error } } : undefined,
    );
    await screen.findByText("You switch to Mentor Access on 1 January 2027");
    row.now = subscriptionRow({ ...planned, pending_from: 1_801_440_000 });
    await press("Undo the Switch");
    expect(await screen.findByText(error)).toBeVisible();
    expect(screen.getByText("You switch to Mentor Access on 1 February 2027")).toBeVisible();
  });

  it("that waits for the bank does not claim that nothing was charged", async () => {
    openPage({ ...planned, pending_from: null, pending_change_id: "in_1" });
    expect(await screen.findByText("Your switch to Mentor Access is not paid yet")).toBeVisible();
    expect(screen.getByText(/If you've just approved it, press Refresh status/)).toBeVisible();
    expect(screen.queryByText(/nothing has been charged/i)).not.toBeInTheDocument();
  });
});
