import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});

/** The mentor's sales with one course, which is on sale unless an administrator ended that. */
function openSales(
  ended: { readonly ended_at: string; readonly ended_reason: string } | null,
  answer: Reply | Promise<Reply> = { status: 204 },
  course: object = {},
) {
  const saved: unknown[] = [];
  renderApp("/studio/selling", {
    session: sessionOf(),
    rows: memberRows({ role: "mentor" }),
    reply: ({ call, body }) => {
      if (call.endsWith("/rpc/save_course_offer")) {
        saved.push(body);
        return answer;
      }
      if (!call.endsWith("/rpc/my_course_offers")) return undefined;
      return {
        body: {
          terms: { share_basis_points: 7000, referral_basis_points: 1000, refund_days: 14 },
          pending_days: 30,
          courses: [
            {
              course_id: "c-1",
              title: "Price It Properly",
              price_pence: 4000,
              is_published: true,
              suggested_slug: "price-it-properly",
              slug: "price-it",
              outcomes: ["Ask for more"],
              free_module_id: "m-1",
              is_on_sale: ended === null,
              is_open: ended === null,
              modules: [{ id: "m-1", title: "Begin" }],
              sales: 0,
              taken_back: 0,
              earned_pence: 0,
              ...(ended ?? { ended_at: null, ended_reason: null }),
              ...course,
            },
          ],
        },
      };
    },
  });
  return saved;
}

const change = { name: "Change: Price It Properly" };

it("a mentor reads why an administrator ended the sale, and can't put the course back on sale", async () => {
  const saved = openSales({ ended_at: "2026-11-26T10:00:00Z", ended_reason: "Copied." });
  expect(await screen.findByText("An administrator ended this sale")).toBeVisible();
  expect(screen.getByText("“Copied.”")).toBeVisible();
  expect(screen.getByText("Sale ended")).toBeVisible();
  await userEvent.click(screen.getByRole("button", change));
  const form = await screen.findByRole("form", { name: "Sale of Price It Properly" });
  expect(within(form).queryByLabelText("On sale")).toBeNull();
  await userEvent.click(within(form).getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The sale page is saved.")).toBeVisible();
  expect(saved).toMatchObject([{ course: "c-1", is_on_sale: false }]);
});

it("a mentor whose sale nobody ended reads nothing of that", async () => {
  openSales(null);
  await userEvent.click(await screen.findByRole("button", change));
  const form = await screen.findByRole("form", { name: "Sale of Price It Properly" });
  expect(within(form).getByLabelText("On sale")).toBeChecked();
  expect(screen.getByText(/for life, even if you withdraw it or end the sale\.$/)).toBeVisible();
  expect(screen.queryByText("An administrator ended this sale")).toBeNull();
});

it.each([
  [
    { status: 400, body: { code: "FF853", message: "Another course has this address." } },
    /^Another/,
  ],
  [{ status: 500, body: { code: "XX000", message: "cache lookup failed" } }, /^It wasn't saved\./],
])(
  "says why the page wasn't saved, but not what Postgres says for itself",
  async (answer, words) => {
    openSales(null, answer);
    await userEvent.click(await screen.findByRole("button", change));
    await userEvent.click(await screen.findByRole("button", { name: "Save" }));
    expect(await screen.findByText(words)).toBeVisible();
  },
);

it("says so in plain words when nothing answers", async () => {
  const answer = Promise.reject<Reply>(new TypeError("Failed to fetch"));
  answer.catch(() => {});
  openSales(null, answer);
  await userEvent.click(await screen.findByRole("button", change));
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  expect(await screen.findByText(/^It wasn't saved\./)).toBeVisible();
  expect(screen.queryByText(/Failed to fetch/)).toBeNull();
});

it.each(["Save", "Cancel"])(
  "begins in the first field, and goes back to the button after %s",
  async (end) => {
    openSales(null);
    await userEvent.click(await screen.findByRole("button", change));
    const form = await screen.findByRole("form", { name: "Sale of Price It Properly" });
    expect(within(form).getByLabelText("Address of the page")).toHaveFocus();
    await userEvent.click(within(form).getByRole("button", { name: end }));
    await waitFor(() => expect(form).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole("button", change)).toHaveFocus());
  },
);

const neverOffered = { slug: null, outcomes: [], is_on_sale: false, is_open: false };

it.each([
  [99, false],
  [100, true],
  [500_000, true],
  [500_100, false],
])("a course of %i pence that was never offered can be sold: %s", async (price_pence, canSell) => {
  openSales(null, undefined, { ...neverOffered, price_pence });
  await screen.findByText("Not on sale");
  const hint = "To sell it, give it a price between £1 and £5,000 in the studio.";
  expect(screen.queryByText(hint) === null).toBe(canSell);
  const button = screen.queryByRole("button", { name: "Sell this course: Price It Properly" });
  expect(button !== null).toBe(canSell);
});
