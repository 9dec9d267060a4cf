import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const rows = {
  ...memberRows({ role: "admin" }),
  legal_texts: [
    { version: 1, body: "## Old", summary: null, published_at: "2026-11-27T10:00:00+00:00" },
  ],
  business_details: [{ legal_name: null, address: null, company_number: null, vat_number: null }],
};

function open(answer: { status: number; body?: unknown } = { status: 200, body: 2 }) {
  return renderApp("/admindash/settings?part=legal", {
    session: sessionOf(),
    rows,
    reply: ({ call }) => {
      if (call.endsWith("/rpc/publish_legal_text")) return answer;
      if (call.endsWith("/rpc/set_vat")) return answer;
      if (call.endsWith("/rpc/set_payment_grace")) return { status: 204 };
      if (call.endsWith("/rpc/set_billing_rules")) return { status: 204 };
      return call.endsWith("/rpc/set_business_details") ? { status: 204 } : undefined;
    },
  });
}

describe("the legal part of the settings", () => {
  it("says who sells here", async () => {
    const view = open();
    await userEvent.type(await screen.findByLabelText("Legal name"), "Fourfold Ltd");
    await userEvent.type(screen.getByLabelText("Address"), "1 Road{Enter}London");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText(/Receipts and emails say it from now on/)).toBeVisible();
    const sent = view.seen.find(({ call }) => call.endsWith("/rpc/set_business_details"));
    expect(sent?.body).toEqual({
      legal_name: "Fourfold Ltd",
      address: "1 Road\nLondon",
      company_number: "",
      vat_number: "",
    });
  });

  it("charges VAT at a rate in per cent, and says what the server refuses", async () => {
    const message = "VAT invoices need your legal name, address and VAT number.";
    const view = open({ status: 400, body: { code: "FF275", message } });
    const mode = await screen.findByLabelText(/How VAT is charged/);
    expect(mode).toHaveValue("none");
    expect(screen.queryByLabelText("Rate in per cent")).not.toBeInTheDocument();
    await userEvent.selectOptions(mode, "A fixed rate, included in the price");
    const rate = screen.getByLabelText("Rate in per cent");
    expect(rate).toHaveValue("20");
    await userEvent.clear(rate);
    await userEvent.type(rate, "51");
    await userEvent.click(screen.getByRole("button", { name: "Save VAT" }));
    expect(screen.getByText("Enter a rate between 0.01 and 50.")).toBeVisible();
    await userEvent.clear(rate);
    await userEvent.type(rate, "17.5");
    await userEvent.click(screen.getByRole("button", { name: "Save VAT" }));
    expect(await screen.findByText(message)).toBeVisible();
    const sent = view.seen.filter(({ call }) => call.endsWith("/rpc/set_vat"));
    expect(sent.map(({ body }) => body)).toEqual([{ mode: "fixed", rate_basis_points: 1750 }]);
  });

  it("says what comes back after a withdrawal, and when members are reminded", async () => {
    const view = open();
    await userEvent.selectOptions(
      await screen.findByLabelText(/After withdrawing/),
      "Refund the days that weren't used",
    );
    const days = screen.getByLabelText(/Days before a renewal/);
    expect(days).toHaveValue("0");
    await userEvent.clear(days);
    await userEvent.type(days, "31");
    await userEvent.click(screen.getByRole("button", { name: "Save rules" }));
    expect(screen.getByText("Enter a whole number from 0 to 30.")).toBeVisible();
    await userEvent.clear(days);
    await userEvent.type(days, "7");
    await userEvent.click(screen.getByRole("button", { name: "Save rules" }));
    expect(await screen.findByText("Saved.")).toBeVisible();
    const sent = view.seen.filter(({ call }) => call.endsWith("/rpc/set_billing_rules"));
    expect(sent.map(({ body }) => body)).toEqual([
      { withdrawal_refund: "proportion", renewal_reminder_days: 7 },
    ]);
  });

  it("says how many days of access follow a failed payment", async () => {
    const view = open();
    const days = await screen.findByLabelText(/Days of access after a payment failed/);
    expect(days).toHaveValue("0");
    await userEvent.clear(days);
    await userEvent.type(days, "31");
    await userEvent.click(screen.getByRole("button", { name: "Save rules" }));
    expect(screen.getByText("Enter a whole number from 0 to 30.")).toBeVisible();
    await userEvent.clear(days);
    await userEvent.type(days, "5");
    await userEvent.click(screen.getByRole("button", { name: "Save rules" }));
    expect(await screen.findByText("Saved.")).toBeVisible();
    const sent = view.seen.filter(({ call }) => call.endsWith("/rpc/set_payment_grace"));
    expect(sent.map(({ body }) => body)).toEqual([{ days: 5 }]);
  });

  it("publishes a new version after a question, with what changed", async () => {
    const view = open();
    await userEvent.click(await screen.findByRole("button", { name: "Edit Terms" }));
    const sheet = within(await screen.findByRole("dialog", { name: "Terms" }));
    const body = await sheet.findByLabelText("Text, in Markdown");
    const publish = sheet.getByRole("button", { name: "Publish this version" });
    expect(publish).toBeDisabled();
    await userEvent.clear(body);
    await userEvent.type(body, "## New");
    expect(await sheet.findByRole("heading", { name: "New" })).toBeVisible();
    await userEvent.click(publish);
    expect(sheet.getByText("Say what changed. Members read it.")).toBeVisible();
    await userEvent.type(sheet.getByLabelText(/What changed/), "Shorter");
    await userEvent.click(publish);
    const question = within(await screen.findByRole("alertdialog"));
    await userEvent.click(question.getByRole("button", { name: "Publish this version" }));
    expect(await screen.findByText("Published. Every member is told.")).toBeVisible();
    const sent = view.seen.find(({ call }) => call.endsWith("/rpc/publish_legal_text"));
    expect(sent?.body).toEqual({ kind: "terms", body: "## New", summary: "Shorter" });
  });

  it("keeps what was written when it is refused, and says why", async () => {
    open({
      status: 400,
      body: { code: "FF660", message: "Line 3: too many quotes", details: "3" },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Edit Terms" }));
    const sheet = within(await screen.findByRole("dialog", { name: "Terms" }));
    await userEvent.type(await sheet.findByLabelText("Text, in Markdown"), " more");
    await userEvent.type(sheet.getByLabelText(/What changed/), "More");
    await userEvent.click(sheet.getByRole("button", { name: "Publish this version" }));
    const question = within(await screen.findByRole("alertdialog"));
    await userEvent.click(question.getByRole("button", { name: "Publish this version" }));
    expect(await sheet.findByText(/Line 3: too many quotes/)).toBeVisible();
    expect(sheet.getByLabelText("Text, in Markdown")).toHaveValue("## Old more");
  });
});
