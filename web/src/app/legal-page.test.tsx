import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { renderApp } from "@/app/testing/test-app.tsx";

const text = {
  version: 2,
  body: "## What you buy\n\nA membership runs from month to month.",
  summary: "Shorter words.",
  published_at: "2026-11-27T10:00:00+00:00",
};

describe("a legal text", () => {
  it("says its version and day, what changed, and who sells", async () => {
    renderApp("/terms", {
      rows: {
        legal_texts: [text],
        business_details: [
          {
            legal_name: "Fourfold Ltd",
            address: "1 Road\nLondon",
            company_number: "12345678",
            vat_number: null,
          },
        ],
      },
    });
    expect(await screen.findByRole("heading", { name: "What you buy" })).toBeVisible();
    expect(screen.getByText("Version 2, in force since 27 November 2026.")).toBeVisible();
    expect(screen.getByText("What changed: Shorter words.")).toBeVisible();
    const seller = within(screen.getByRole("region", { name: "Who we are" }));
    expect(await seller.findByText("Fourfold Ltd")).toBeVisible();
    expect(seller.getByText("London")).toBeVisible();
    expect(seller.getByText("Company number 12345678")).toBeVisible();
    expect(seller.queryByText(/VAT number/)).not.toBeInTheDocument();
    const others = within(screen.getByRole("navigation", { name: "More to read" }));
    expect(others.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/privacy",
      "/refunds",
    ]);
  });

  it("shows the version that an e-mail links to, and leads to the one in force", async () => {
    renderApp("/terms?version=1", {
      reply: ({ call }, { searchParams }) =>
        call.startsWith("GET /rest/v1/legal_texts")
          ? { body: [searchParams.get("version") === "eq.1" ? { ...text, version: 1 } : text] }
          : undefined,
    });
    expect(await screen.findByText("Version 1, published on 27 November 2026.")).toBeVisible();
    await userEvent.click(screen.getByRole("link", { name: "Read the version in force" }));
    expect(await screen.findByText("Version 2, in force since 27 November 2026.")).toBeVisible();
  });

  it("says of the first version, and of no other, what a year means where one is sold", async () => {
    const years = /Memberships can also be paid by the year\./;
    const open = (path: string, version: number, plans: object[]) =>
      renderApp(path, { rows: { legal_texts: [{ ...text, version }], plans } });
    const { unmount } = open("/terms", 1, [{ id: "student-access" }]);
    expect(await screen.findByText(years)).toBeVisible();
    unmount();
    for (const [path, version, plans] of [
      ["/terms", 2, [{ id: "student-access" }]],
      ["/privacy", 1, [{ id: "student-access" }]],
      ["/terms", 1, []],
    ] as const) {
      const view = open(path, version, [...plans]);
      expect(await screen.findByRole("heading", { name: "What you buy" })).toBeVisible();
      await waitFor(() => expect(view.seen.some(({ call }) => call.endsWith("/plans"))).toBe(true));
      expect(screen.queryByText(years)).not.toBeInTheDocument();
      view.unmount();
    }
  });

  it("says in our own terms what a pause and a gift are, and how long one may pause here", async () => {
    const open = (path: string, version: number, rule: object[] = []) =>
      renderApp(path, { rows: { legal_texts: [{ ...text, version }], billing_rules: rule } });
    const rules = {
      withdrawal_refund: "full",
      renewal_reminder_days: 0,
      payment_grace_days: 0,
      pause_months: 2,
      payment_element: false,
    };
    const first = open("/terms", 1, [rules]);
    expect(await screen.findByText(/pause a membership for up to 2 months/)).toBeVisible();
    expect(screen.getByText(/^You can give months of a plan/)).toBeVisible();
    first.unmount();
    const without = open("/terms", 1, [{ ...rules, pause_months: 0 }]);
    expect(await screen.findByText(/^You can give months of a plan/)).toBeVisible();
    expect(screen.queryByText(/pause a membership/)).not.toBeInTheDocument();
    without.unmount();
    open("/terms", 2, [rules]);
    expect(await screen.findByRole("heading", { name: "What you buy" })).toBeVisible();
    expect(screen.queryByText(/^You can give months of a plan/)).not.toBeInTheDocument();
  });

  it("that was never published says so", async () => {
    renderApp("/terms?version=9", { rows: { legal_texts: [] } });
    expect(await screen.findByText(/This version doesn't exist/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Read the version in force" })).toBeVisible();
  });

  it("that cannot be loaded can be asked for again", async () => {
    renderApp("/refunds", {
      reply: ({ call }) =>
        call.startsWith("GET /rest/v1/legal_texts")
          ? { status: 400, body: { code: "XX000", message: "no" } }
          : undefined,
    });
    expect(
      await screen.findByText("We couldn't load this text", {}, { timeout: 10_000 }),
    ).toBeVisible();
  });
});
