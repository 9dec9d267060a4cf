import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { answerCode, verifiedSession } from "@/app/testing/second-factor.ts";
import { longDate } from "@/lib/format-time.ts";
import { memberRows, renderApp, type Reply } from "@/app/testing/test-app.tsx";

const payment = {
  payment_id: "ch_1",
  paid_at: "2026-11-01T10:00:00Z",
  amount_pence: 5000,
  refunded_pence: 1000,
  currency: "gbp",
  state: "partly_refunded",
  invoice_number: "A-0001",
  invoice_reason: "subscription_create",
  card_brand: "visa",
  card_last4: "4242",
  user_id: "u1",
  email: "grace@example.com",
  first_name: "Grace",
  last_name: "Hopper",
};

/** The form of a refund, of which so much was made already; the database says that all of it ends this. */
async function open(effect: Reply, refunded_pence = payment.refunded_pence) {
  renderApp("/admindash/money?refund=u1", {
    session: verifiedSession(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call }) => {
      if (call.endsWith("/admin_payments")) return { body: [{ ...payment, refunded_pence }] };
      if (call.endsWith("/admin_refund_effect")) return effect;
      if (call.endsWith("/admin_unfinished_refunds")) return { body: [] };
      if (call.endsWith("/admin_refunds")) return { body: [] };
      return undefined;
    },
  });
  const panel = within(await screen.findByRole("dialog", { name: "£50 payment" }));
  await userEvent.click(panel.getByRole("button", { name: "Refund" }));
  return panel;
}

describe("the form of a refund says what ends", () => {
  const rest = "This refunds the rest of the payment.";
  const ending = (ends: string, title: string | null, ends_at: string | null) => ({
    body: [{ ends, title, ends_at }],
  });

  it.each<[string, Reply, string]>([
    [
      "a membership",
      ending("membership", null, "2026-12-29T12:00:00Z"),
      "Grace Hopper's membership, paid until 29 December 2026, ends at once.",
    ],
    [
      "a plan",
      ending("plan", "Student Access", null),
      "Grace Hopper goes back to Student Access at once.",
    ],
    [
      "a course",
      ending("course", "Price it properly", null),
      "Grace Hopper loses “Price it properly” at once.",
    ],
    [
      "a code",
      ending("gift", "Gift: Student Access, 3 months", null),
      "“Gift: Student Access, 3 months”: the code stops working at once.",
    ],
    [
      "a gift in use",
      ending("gift", "Gift: Student Access, 3 months", "2026-12-29T12:00:00Z"),
      "“Gift: Student Access, 3 months”: the membership it gave until 29 December 2026 ends at once.",
    ],
    ["nothing", { body: [] }, "It pays for nothing that is still running, so nothing ends."],
    [
      "what it couldn't find out",
      { status: 500, body: { message: "broken" } },
      "If it pays for the current period, the membership ends at once.",
    ],
  ])("%s", async (_, effect, sentence) => {
    const panel = await open(effect);
    expect(
      await panel.findByText(`${rest} ${sentence}`, {}, { timeout: 20_000 }),
    ).toBeInTheDocument();
  });

  it("and that it is the whole where nothing was refunded before", async () => {
    const panel = await open({ body: [] }, 0);
    expect(panel.getByText(/^This refunds the whole payment\./)).toBeInTheDocument();
  });

  it("and that a part ends nothing, whatever was refunded before", async () => {
    const panel = await open(ending("course", "Price it properly", null));
    const amount = panel.getByLabelText("Amount in pounds");
    expect(amount).toHaveValue("40.00");
    await userEvent.clear(amount);
    await userEvent.type(amount, "39.99");
    expect(
      panel.getByText("This refunds part of the payment. Whatever it paid for stays as it is."),
    ).toBeInTheDocument();
    expect(panel.queryByText(/loses/)).not.toBeInTheDocument();
  });

  it("and nothing of an amount that can't be refunded", async () => {
    const panel = await open(ending("course", "Price it properly", null));
    const amount = panel.getByLabelText("Amount in pounds");
    await userEvent.clear(amount);
    await userEvent.type(amount, "45");
    expect(panel.queryByText(/This refunds/)).not.toBeInTheDocument();
    expect(panel.queryByText(/loses/)).not.toBeInTheDocument();
  });
});

it("a refund is confirmed in the payment that was refunded, which keeps the focus and is no longer offered for it", async () => {
  let isRefunded = false;
  renderApp("/admindash/money?refund=u1", {
    session: verifiedSession(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call, body }) => {
      const checked = answerCode(call, body);
      if (checked) return checked;
      if (call.endsWith("/admin_payments")) {
        return { body: isRefunded ? [] : [payment] };
      }
      if (call.endsWith("/admin-refund-payment")) {
        isRefunded = true;
        return { body: { refund_id: "re_1", status: "succeeded" } };
      }
      if (call.endsWith("/admin_unfinished_refunds") || call.endsWith("/admin_refunds")) {
        return { body: [] };
      }
      return undefined;
    },
  });
  const panel = within(await screen.findByRole("dialog", { name: "£50 payment" }));
  await userEvent.click(panel.getByRole("button", { name: "Refund" }));
  await userEvent.type(panel.getByLabelText("Reason"), "Asked by email");
  await userEvent.type(panel.getByLabelText(/Code from your authenticator app/), "123456");
  await userEvent.click(panel.getByRole("button", { name: "Refund £40" }));
  const notice = await panel.findByText(`Refunded £40 on ${longDate(Date.now())}`);
  expect(notice).toBeVisible();
  expect(notice.closest("[role=status]")?.parentElement).toHaveFocus();
  expect(notice.closest("[role=status]")).toHaveTextContent(
    "It usually arrives within 5 to 10 working days.",
  );
  expect(await panel.findByText("Refunded", { selector: "span" })).toBeVisible();
  expect(panel.queryByRole("button", { name: /^Refund/ })).toBeNull();
});

it("a refund is recorded with a common reason and what was added to it, and not without a reason", async () => {
  const { seen } = renderApp("/admindash/money?refund=u1", {
    session: verifiedSession(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call, body }) => {
      const checked = answerCode(call, body);
      if (checked) return checked;
      if (call.endsWith("/admin_payments")) return { body: [payment] };
      if (call.endsWith("/admin-refund-payment")) {
        return { body: { refund_id: "re_1", status: "succeeded" } };
      }
      return undefined;
    },
  });
  const panel = within(await screen.findByRole("dialog", { name: "£50 payment" }));
  await userEvent.click(panel.getByRole("button", { name: "Refund" }));
  await userEvent.type(panel.getByLabelText(/Code from your authenticator app/), "123456");
  const asked = () =>
    seen.filter(({ call }) => call.endsWith("/admin-refund-payment")).map(({ body }) => body);
  await userEvent.click(panel.getByRole("button", { name: "Refund £40" }));
  expect(await panel.findByText(/^Say why\./)).toBeVisible();
  expect(asked()).toEqual([]);
  await userEvent.selectOptions(panel.getByLabelText("Common reasons"), "Paid twice");
  expect(panel.queryByText(/^Say why\./)).not.toBeInTheDocument();
  await userEvent.type(panel.getByLabelText("Reason"), " in May ");
  await userEvent.click(panel.getByRole("button", { name: "Refund £40" }));
  await panel.findByText(/^Refunded £40 on/);
  expect(asked()).toMatchObject([{ reason: "Paid twice in May" }]);
});

it("leads to the first field that is wrong when it is sent without any", async () => {
  const panel = await open({ body: [] });
  const amount = panel.getByRole("textbox", { name: /Amount/ });
  await userEvent.click(panel.getByRole("button", { name: /^Refund £/ }));
  expect(panel.getByRole("textbox", { name: /Reason/ })).toHaveFocus();
  await userEvent.clear(amount);
  await userEvent.type(amount, "9000");
  await userEvent.click(panel.getByRole("button", { name: /^Refund £/ }));
  expect(amount).toHaveFocus();
});
