import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { subscriptionRow } from "./testing/subscription-rows.ts";

const right = {
  subscription_id: "sub_1",
  // Midnight in London after the last day.
  ends_at: "2026-12-12T00:00:00+00:00",
  amount_pence: 5000,
  currency: "gbp",
};

function open(answer: { status: number; body: object }) {
  let rights: object[] = [right];
  const view = renderApp("/subscriptions", {
    session: sessionOf(),
    rows: { ...memberRows(), stripe_subscriptions: subscriptionRow(), invoices: [] },
    reply: ({ call }) => {
      if (call.endsWith("/rpc/my_withdrawal_right")) return { body: rights };
      if (!call.endsWith("/functions/v1/stripe-withdraw")) return undefined;
      rights = [];
      return answer;
    },
  });
  return view;
}

describe("the right to withdraw", () => {
  it("names its last day and the amount, and is used in two clicks", async () => {
    const view = open({ status: 200, body: { refunded_pence: 5000 } });
    const part = within(await screen.findByRole("region", { name: "Changed your mind?" }));
    expect(
      part.getByText(
        /until the end of 11 December 2026, without giving a reason, and get £50 back/,
      ),
    ).toBeVisible();
    await userEvent.click(part.getByRole("button", { name: "Withdraw from my membership" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/ends at once, and we refund £50/)).toBeVisible();
    await userEvent.click(dialog.getByRole("button", { name: "Withdraw and refund £50" }));
    expect(await screen.findByText(/You have withdrawn\. £50 is on its way/)).toBeVisible();
    await waitFor(() =>
      expect(screen.queryByRole("region", { name: "Changed your mind?" })).not.toBeInTheDocument(),
    );
    expect(view.seen.filter(({ call }) => call.endsWith("stripe-withdraw"))).toHaveLength(1);
  });

  it("names what comes back after a switch of plan or another payment", async () => {
    let paid = right;
    renderApp("/subscriptions", {
      session: sessionOf(),
      rows: { ...memberRows(), stripe_subscriptions: subscriptionRow(), invoices: [] },
      reply: ({ call }) =>
        call.endsWith("/rpc/my_withdrawal_right") ? { body: [paid] } : undefined,
    });
    expect(await screen.findByText(/and get £50 back/)).toBeVisible();
    paid = { ...right, amount_pence: 10_000 };
    await userEvent.click(screen.getByRole("button", { name: "Refresh status" }));
    expect(await screen.findByText(/and get £100 back/)).toBeVisible();
  });

  it("says what the server says when the refund is still to come", async () => {
    open({
      status: 502,
      body: { error: "Your membership has ended. We couldn't make the refund yet." },
    });
    await userEvent.click(
      await screen.findByRole("button", { name: "Withdraw from my membership" }),
    );
    await userEvent.click(await screen.findByRole("button", { name: "Withdraw and refund £50" }));
    expect(await screen.findByText(/We couldn't make the refund yet/)).toBeVisible();
  });

  it("is not shown to who has none", async () => {
    renderApp("/subscriptions", {
      session: sessionOf(),
      rows: { ...memberRows(), stripe_subscriptions: subscriptionRow(), invoices: [] },
      reply: ({ call }) => (call.endsWith("/rpc/my_withdrawal_right") ? { body: [] } : undefined),
    });
    expect(await screen.findByRole("button", { name: "Cancel Subscription" })).toBeVisible();
    expect(screen.queryByText("Changed your mind?")).not.toBeInTheDocument();
  });
});
