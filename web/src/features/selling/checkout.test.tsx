import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { createFakeStripe, installScript, removeScript } from "@/app/testing/fake-stripe.ts";

const offer = {
  slug: "letters",
  title: "Letters that are answered",
  description: "",
  outcomes: ["Write letters"],
  price_pence: 4900,
  minutes: 40,
  difficulty: "beginner",
  thumbnail_url: null,
  category: "business",
  topic: "sales",
  course_slug: "letters",
  mentor: "Mia",
  refund_days: 14,
  lessons: [],
  free_lesson: null,
};

const purchase = (state: string) => ({
  purchase_id: "p-1",
  course_id: "c-1",
  slug: "letters",
  title: offer.title,
  amount_pence: 4900,
  bought_at: "2026-11-20T10:00:00+00:00",
  number: "pi_1",
  refunded_pence: 0,
  card_brand: "visa",
  card_last4: "4242",
  state,
  lessons: 2,
  completed: 0,
});

const cardConfig = {
  stripePublishableKey: "pk_test_1",
  stripeScriptUrl: "http://backend.test/sandbox/stripe/v3/",
};

/** The checkout of a course, for a person with these purchases; without a membership unless `status` says so. */
function open(purchases: readonly object[], status = "canceled", differs: object = {}) {
  renderApp("/c/letters/buy", {
    session: sessionOf(),
    rows: memberRows({ status }),
    reply: ({ call }) => {
      if (call.endsWith("/course-offer")) return { body: { offer: { ...offer, ...differs } } };
      if (call === "POST /rest/v1/rpc/my_courses") return { body: purchases };
      return undefined;
    },
    config: cardConfig,
  });
}

describe("the checkout of a course", () => {
  it.each([
    [14, 0],
    [30, 1],
  ])("says once for how long it can be given back, for %s days", async (days, longer) => {
    const provider = createFakeStripe();
    installScript(() => provider.stripe);
    try {
      open([], "canceled", { refund_days: days });
      expect(await screen.findByText(/You have 14 days to/)).toBeVisible();
      expect(screen.queryAllByText(/^After that, write to .* within 30 days/)).toHaveLength(longer);
      expect(screen.queryByText(/within 14 days/)).not.toBeInTheDocument();
    } finally {
      removeScript();
    }
  });

  it("leads to the course that was bought", async () => {
    open([purchase("paid")]);
    expect(await screen.findByRole("link", { name: "Read it" })).toHaveAttribute(
      "href",
      "/your-courses/c-1",
    );
  });

  it("says that a disputed payment keeps the course closed, and asks for no other", async () => {
    open([purchase("disputed")]);
    expect(await screen.findByText(/^Your bank has disputed this payment\./)).toBeVisible();
    expect(screen.getByRole("link", { name: "Your courses" })).toBeVisible();
    expect(screen.queryByText("You've bought this course.")).not.toBeInTheDocument();
    expect(screen.queryByText("Due today")).not.toBeInTheDocument();
  });

  it("leads members to the library", async () => {
    open([], "active");
    expect(await screen.findByText("Included in your membership")).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to the library" })).toHaveAttribute(
      "href",
      "/business/courses",
    );
  });

  it("asks for no money while it can't tell what was bought, and looks again when asked to", async () => {
    let answer: Reply = { status: 500, body: { code: "XX000", message: "down" } };
    renderApp("/c/letters/buy", {
      session: sessionOf(),
      rows: memberRows({ status: "canceled" }),
      reply: ({ call }) => {
        if (call.endsWith("/course-offer")) return { body: { offer } };
        return call === "POST /rest/v1/rpc/my_courses" ? answer : undefined;
      },
    });
    const failure = "We couldn't check whether you already have this course";
    expect(await screen.findByText(failure, {}, { timeout: 15_000 })).toBeVisible();
    expect(screen.queryByText("Due today")).not.toBeInTheDocument();
    answer = { body: [purchase("paid")] };
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Read it" })).toBeVisible();
  });

  it("says on Your courses that the payment went through", async () => {
    const provider = createFakeStripe();
    installScript(() => provider.stripe);
    try {
      let bought: object[] = [];
      renderApp("/c/letters/buy", {
        session: sessionOf(),
        rows: memberRows({ status: "canceled" }),
        reply: ({ call }) => {
          if (call.endsWith("/course-offer")) return { body: { offer } };
          if (call === "POST /rest/v1/rpc/my_courses") return { body: bought };
          if (!call.endsWith("/stripe-buy-course")) return undefined;
          bought = [purchase("paid")];
          return { body: { success: true } };
        },
        config: cardConfig,
      });
      await waitFor(() => expect(provider.options).toHaveLength(1));
      provider.change({ complete: true });
      await userEvent.click(await screen.findByRole("button", { name: "Pay £49" }));
      expect(
        await screen.findByText(
          "Thank you. Your payment for “Letters that are answered” went through.",
        ),
      ).toBeVisible();
      await waitFor(() => expect(window.location.pathname).toBe("/your-courses"));
    } finally {
      removeScript();
    }
  });

  it("says after a declined card that nothing was charged, and leads back to the card", async () => {
    const provider = createFakeStripe();
    installScript(() => provider.stripe);
    try {
      renderApp("/c/letters/buy", {
        session: sessionOf(),
        rows: memberRows({ status: "canceled" }),
        reply: ({ call }) => {
          if (call.endsWith("/course-offer")) return { body: { offer } };
          if (call === "POST /rest/v1/rpc/my_courses") return { body: [] };
          return call.endsWith("/stripe-buy-course")
            ? { status: 402, body: { error: "Your card was declined." } }
            : undefined;
        },
        config: cardConfig,
      });
      await waitFor(() => expect(provider.options).toHaveLength(1));
      provider.change({ complete: true });
      await userEvent.click(await screen.findByRole("button", { name: "Pay £49" }));
      expect(
        await screen.findByText("Your card was declined. You haven't been charged."),
      ).toBeVisible();
      expect(provider.card.focus).toHaveBeenCalledOnce();
    } finally {
      removeScript();
    }
  });
});
