import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderPage, sessionOf } from "@/app/testing/test-app.tsx";
import { MoneyTrend } from "./components/money-trend.tsx";

const months = Array.from({ length: 12 }, (_, place) => ({
  month: new Date(Date.UTC(2026, place, 1)).toISOString().slice(0, 10),
  net_pence: place === 5 ? -2000 : 10_000,
  members: place === 0 ? 0 : 40,
  lost: place === 10 ? 1 : 0,
}));

function open(differs: object = {}) {
  const body = {
    monthly_revenue_pence: 55_000,
    months,
    reasons: [
      { reason: "too_expensive", members: 3 },
      { reason: "a_new_one", members: 1 },
    ],
    ...differs,
  };
  return renderPage(<MoneyTrend />, {
    session: sessionOf(),
    reply: ({ call }) => (call.endsWith("/rpc/admin_money_trend") ? { body } : undefined),
  });
}

describe("twelve months of money", () => {
  it("say what recurs, what was left and who left, with a line and a table", async () => {
    open();
    const figures = within(await screen.findByRole("region", { name: "Twelve months" }));
    expect(figures.getAllByRole("definition").map((each) => each.textContent)).toEqual([
      "£550",
      "At today's prices, VAT included, before discounts",
      "£1,080",
      "After refunds, lost disputes and VAT, before fees",
      "2.5%",
      "1 of 40 members",
    ]);
    expect(figures.getByRole("img", { name: /^Net each month: £1,080/ })).toBeVisible();
    const rows = within(screen.getByRole("table", { name: "Months as a table", hidden: true }))
      .getAllByRole("row", { hidden: true })
      .map((row) => row.textContent);
    expect(rows).toHaveLength(13);
    expect(rows[1]).toBe("December 2026, so far£100400");
    expect(rows[7]).toBe("June 2026-£20400");
  });

  it("say why members cancelled, also for a reason that is not known here", async () => {
    open();
    const reasons = within(await screen.findByRole("list", { name: "Why members cancelled" }));
    expect(reasons.getAllByRole("listitem").map((each) => each.textContent)).toEqual([
      "It costs too much3",
      "Another reason1",
    ]);
  });

  it("say so when nobody was a member, and nothing of reasons when there are none", async () => {
    open({ reasons: [], months: months.map((month) => ({ ...month, members: 0, lost: 0 })) });
    expect(await screen.findByText("No members when the month began")).toBeVisible();
    expect(screen.queryByText("Why members cancelled")).not.toBeInTheDocument();
  });
});
