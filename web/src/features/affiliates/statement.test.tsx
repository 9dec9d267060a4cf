import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const month = (name: string, earned: number) => ({
  month: name,
  earned_pence: earned,
  taken_back_pence: 0,
  paid_pence: 1000,
});

const affiliate = (months: readonly object[]) => ({
  code: "abc123",
  is_open: true,
  terms: {
    rate_basis_points: 2000,
    commission_months: 12,
    attribution_days: 30,
    pending_days: 30,
    least_payout_pence: 2500,
  },
  visits: 3,
  sign_ups: 2,
  members: 1,
  pending_pence: 0,
  payable_pence: 1000,
  paid_pence: 1000,
  months,
  payouts: [],
});

const plans = [
  { role: "student", amount_pence: 6_000 },
  { role: "mentor", amount_pence: 12_000 },
];

function open(months: readonly object[], onSale: readonly object[] = plans) {
  return renderApp("/affiliates", {
    session: sessionOf(),
    rows: { ...memberRows(), plans: onSale },
    reply: ({ call }) =>
      call === "POST /rest/v1/rpc/my_affiliate" ? { body: affiliate(months) } : undefined,
  });
}

it("the monthly statement prints with whose it is and of which months", async () => {
  const print = vi.spyOn(window, "print").mockImplementation(() => {});
  open([month("2026-11", 2250), month("2026-10", 1000), month("2026-09", 500)]);
  const statement = within(await screen.findByRole("region", { name: "Monthly statement" }));
  const head = within(statement.getByText("Fourfold affiliate statement").parentElement!);
  expect(head.getByText("Ada Lovelace")).toBeInTheDocument();
  expect(head.getByText("September 2026 to November 2026")).toBeInTheDocument();
  expect(statement.getByRole("row", { name: /^November 2026 £22.50/ })).toBeVisible();
  await userEvent.click(statement.getByRole("button", { name: "Print the statement" }));
  expect(print).toHaveBeenCalledOnce();
});

it("there is nothing to print before the first commission", async () => {
  open([]);
  expect(await screen.findByRole("heading", { name: "How it works" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Print the statement" })).not.toBeInTheDocument();
});

it("names no sum while a plan is not on sale", async () => {
  open([], []);
  expect(
    await screen.findByRole("heading", { name: "Earn 20% of what members you invite pay" }),
  ).toBeVisible();
  expect(
    screen.getByText(/^I'm a member of Fourfold.*chat rooms, and you can cancel/),
  ).toBeVisible();
});

it("leads with what a member brings at today's prices, and copies a text to share with the link by one button", async () => {
  const writeText = vi.fn(async (_text: string) => {});
  open([]);
  expect(
    await screen.findByRole("heading", {
      name: "Earn £12 a month for each student, £24 for each mentor",
    }),
  ).toBeVisible();
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(writeText);
  await user.click(screen.getByRole("button", { name: "Copy text and link" }));
  expect(await screen.findByText("The text was copied with your link.")).toBeVisible();
  const link = `${window.location.origin}/join/abc123`;
  expect(writeText).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^I'm a member/));
  expect(writeText).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(link));
  expect(screen.getByText(new RegExp(`from £60 a month.*${link}$`))).toBeVisible();
});
