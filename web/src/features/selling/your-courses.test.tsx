import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

function open(level: number) {
  renderApp("/your-courses", {
    session: sessionOf(),
    rows: memberRows({ level }),
    reply: ({ call }) => {
      if (call === "POST /rest/v1/rpc/my_courses") return { body: [] };
      return call === "POST /rest/v1/rpc/effective_level" ? { body: level } : undefined;
    },
  });
}

describe("the page of bought courses while there is none", () => {
  it("leads a member to the library", async () => {
    open(2);
    expect(await screen.findByRole("link", { name: "Go to the library" })).toHaveAttribute(
      "href",
      "/knowledge/courses",
    );
    expect(screen.queryByRole("link", { name: "See the plans" })).not.toBeInTheDocument();
  });

  it("leads a person without a membership to the plans", async () => {
    open(0);
    expect(await screen.findByRole("link", { name: "See the plans" })).toHaveAttribute(
      "href",
      "/paywall",
    );
    expect(screen.queryByRole("link", { name: "Go to the library" })).not.toBeInTheDocument();
  });

  it("leads nobody to a library that their level does not open yet", async () => {
    open(1);
    expect(await screen.findByText("You haven't bought a course yet")).toBeVisible();
    expect(screen.queryByRole("link", { name: "Go to the library" })).not.toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "See the plans" })).not.toBeInTheDocument();
  });
});

describe("a bought course that can be given back", () => {
  const bought = {
    purchase_id: "p-1",
    course_id: "c-1",
    slug: "letters",
    title: "Letters that sell",
    amount_pence: 4000,
    bought_at: "2026-11-20T10:00:00+00:00",
    number: "ch_1",
    refunded_pence: 0,
    card_brand: "visa",
    card_last4: "4242",
    state: "paid",
    lessons: 2,
    completed: 1,
    withdraw_until: "2026-12-05T00:00:00+00:00",
    withdraw_pence: 4000,
  };
  const openWith = (answer: { status: number; body: object }, at = "/your-courses") => {
    let purchase: object = bought;
    return renderApp(at, {
      session: sessionOf(),
      rows: memberRows({ status: "canceled" }),
      reply: ({ call }) => {
        if (call === "POST /rest/v1/rpc/my_courses") return { body: [purchase] };
        if (!call.endsWith("/functions/v1/stripe-withdraw")) return undefined;
        if (answer.status === 200) {
          purchase = {
            ...bought,
            state: "refunded",
            refunded_pence: 4000,
            withdraw_until: null,
            withdraw_pence: null,
          };
        }
        return answer;
      },
    });
  };

  it("names the last day and the amount, and is given back in two clicks", async () => {
    const view = openWith({ status: 200, body: { refunded_pence: 4000 } });
    expect(
      await screen.findByText(/until the end of 4 December 2026, .* and get £40 back/),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: /^Return this course/ }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/closes at once, and we refund £40/)).toBeVisible();
    await userEvent.click(dialog.getByRole("button", { name: "Return and refund £40" }));
    expect(await screen.findByText(/You've returned the course\. £40/)).toBeVisible();
    expect(await screen.findByText("Refunded")).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Return this course/ })).toBeNull();
    const sent = view.seen.filter(({ call }) => call.endsWith("stripe-withdraw"));
    expect(sent.map(({ body }) => body)).toEqual([{ purchase_id: "p-1" }]);
  });

  it("has a receipt that names the card as invoices do", async () => {
    openWith({ status: 500, body: {} }, "/your-courses/receipts/p-1");
    expect(await screen.findByText("Visa ending in 4242")).toBeVisible();
  });

  it("says what the server says when it can't be", async () => {
    openWith({ status: 409, body: { error: "You can give a course back here once." } });
    await userEvent.click(await screen.findByRole("button", { name: /^Return this course/ }));
    await userEvent.click(await screen.findByRole("button", { name: "Return and refund £40" }));
    expect(await screen.findByText("You can give a course back here once.")).toBeVisible();
  });
});
