import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import {
  memberRows,
  renderApp,
  sessionOf,
  type Reply,
  type Rows,
} from "@/app/testing/test-app.tsx";

const giftsCall = "POST /rest/v1/rpc/my_gifts";
const redeemCall = "POST /rest/v1/rpc/redeem_gift";

const offer = (plan: string, months: number, amount_pence: number) => ({
  plan_id: `${plan.toLowerCase()}-access`,
  plan_name: `${plan} Access`,
  months,
  amount_pence,
});
const gift = (differs: object) => ({
  id: "g1",
  name: "Gift: Student Access, 3 months",
  amount_pence: 15_000,
  bought_at: "2026-11-20T10:00:00Z",
  code: "ABCDE-FGHJK-LMNPQ-RSTUV",
  redeemed_at: null,
  state: "unused",
  ...differs,
});

function open(gifts: readonly object[], redeemed?: Reply, rows: Rows = memberRows()) {
  const offers = [
    offer("Student", 1, 5000),
    offer("Student", 3, 15_000),
    offer("Mentor", 1, 10_000),
  ];
  return renderApp("/gifts", {
    session: sessionOf(),
    rows,
    reply: ({ call }) => {
      if (call === giftsCall) return { body: { offers, gifts } };
      return call === redeemCall ? redeemed : undefined;
    },
  });
}

async function redeem(code: string) {
  await userEvent.type(await screen.findByLabelText("Gift code"), code);
  await userEvent.click(screen.getByRole("button", { name: "Redeem" }));
}

describe("/gifts", () => {
  it.each(["student", "admin"])("stands in the house of a %s", async (role) => {
    open([], undefined, memberRows({ role }));
    expect(await screen.findByRole("heading", { level: 1, name: "Gifts" })).toBeVisible();
    expect(screen.getAllByRole("navigation", { name: "Main" })[0]).toBeVisible();
    expect(screen.getAllByRole("main")).toHaveLength(1);
    expect(screen.queryByRole("link", { name: /membership$/ })).not.toBeInTheDocument();
    await userEvent.keyboard("?");
    expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  });

  it.each([
    ["without a membership", memberRows({ status: "canceled" })],
    ["before onboarding", memberRows({ onboarded: false })],
  ])("stands by itself for a buyer %s", async (_, rows) => {
    open([], undefined, rows);
    expect(await screen.findByRole("heading", { level: 1, name: "Gifts" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Your courses" })).toBeVisible();
    expect(screen.queryByRole("navigation", { name: "Main" })).not.toBeInTheDocument();
    await userEvent.keyboard("?");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("lists what one gave: the code until it is used, then when it was", async () => {
    open([
      gift({}),
      gift({ id: "g2", code: null, state: "used", redeemed_at: "2026-11-21T10:00:00Z" }),
      gift({ id: "g3", code: null, state: "closed" }),
    ]);
    const list = within(await screen.findByRole("region", { name: "Your gifts" }));
    const [unused, used, closed] = list.getAllByRole("listitem");
    expect(unused).toHaveTextContent("ABCDE-FGHJK-LMNPQ-RSTUV");
    expect(unused).toHaveTextContent("£150 on 20 November 2026");
    expect(used).toHaveTextContent("Used on 21 November 2026");
    expect(closed).toHaveTextContent("Refunded");
    expect(list.getAllByRole("button", { name: /^Copy code/ })).toHaveLength(1);
  });

  it("prices each length of the chosen plan", async () => {
    open([]);
    const plans = await screen.findByLabelText("Plan");
    expect(screen.getByRole("option", { name: "3 months, £150" })).toBeInTheDocument();
    await userEvent.selectOptions(plans, "Mentor Access");
    expect(screen.queryByRole("option", { name: "3 months, £150" })).not.toBeInTheDocument();
    expect(screen.getByLabelText("How long?")).toHaveDisplayValue("1 month, £100");
  });

  it.each([
    ["unknown", "We don't recognise this code. Check it and try again."],
    ["used", "This code has been used."],
    ["closed", /payment was refunded or disputed/],
    ["member", /You already have a membership. Keep the code/],
    ["admin", /Administrators don't need a membership/],
  ])("says why a code that is %s opens nothing", async (state, text) => {
    open([], { body: { state } });
    await redeem("abcde");
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByLabelText("Gift code")).toHaveValue("abcde");
  });

  it("says until when a code has opened which plan", async () => {
    const { seen } = open([], {
      body: { state: "redeemed", plan: "Mentor Access", ends_at: "2027-02-28T10:00:00Z" },
    });
    await redeem("abcde fghjk");
    expect(
      await screen.findByText("Your Mentor Access membership is open until 28 February 2027."),
    ).toBeVisible();
    expect(seen.find(({ call }) => call === redeemCall)?.body).toEqual({ code: "abcde fghjk" });
  });

  it("looks for the membership that was given, and waits for no subscription", async () => {
    const { stripe_subscriptions: _paid, ...unpaid } = memberRows();
    const body = { state: "redeemed", plan: "Mentor Access", ends_at: "2027-02-28T10:00:00Z" };
    const { calls } = open([], { body }, unpaid);
    await redeem("abcde");
    // A subscription that is missing would be asked for again for 24 seconds.
    await screen.findByText(
      /^Your Mentor Access membership is open until/,
      {},
      { timeout: 12_000 },
    );
    const after = calls().slice(calls().indexOf(redeemCall));
    expect(after).toContain("GET /rest/v1/complimentary_memberships");
  });

  it("asks for a code before it asks the server, and says when nothing answers", async () => {
    const { calls } = open([], { status: 500, body: {} });
    await userEvent.click(await screen.findByRole("button", { name: "Redeem" }));
    expect(screen.getByText("Enter the code you were given.")).toBeVisible();
    expect(calls()).not.toContain(redeemCall);
    await redeem("abcde");
    expect(await screen.findByText(/We couldn't redeem the code/)).toBeVisible();
  });
});
