import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { createFakeStripe, installScript, removeScript } from "@/app/testing/fake-stripe.ts";
import { planRows, subscriptionRow } from "./testing/subscription-rows.ts";

beforeEach(() => installScript(() => createFakeStripe().stripe));
afterEach(() => removeScript());

const later = "2999-12-05T10:00:00+00:00";

function open(at: string, ends_at: string | null, status = "past_due") {
  return renderApp(at, {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      plans: planRows,
      stripe_subscriptions: subscriptionRow({ status }),
      grace_periods: ends_at === null ? [] : [{ ends_at }],
    },
    config: {
      stripePublishableKey: "pk_test_1",
      stripeScriptUrl: "http://backend.test/sandbox/stripe/v3/",
    },
  });
}

const title = "Your last payment failed";

describe("the banner of a failed payment", () => {
  it.each(["/studentdash", "/account"])(
    "says on %s until when everything stays open, and leads to the card form",
    async (at) => {
      open(at, later);
      const banner = within(
        (await screen.findByText(title)).closest("[role=alert]") as HTMLElement,
      );
      expect(window.location.pathname).toBe(at);
      expect(banner.getByText(/You keep your access until 5 December 2999/)).toBeVisible();
      await userEvent.click(banner.getByRole("link", { name: "Update your card" }));
      expect(await screen.findByRole("region", { name: "Update your card" })).toBeVisible();
    },
  );

  it("opens the form again from the page itself, after it was closed", async () => {
    open("/subscriptions", later);
    await userEvent.click(await screen.findByRole("link", { name: "Update your card" }));
    const form = await screen.findByRole("region", { name: "Update your card" });
    await userEvent.click(await within(form).findByRole("button", { name: "Keep the Old Card" }));
    expect(screen.queryByRole("region", { name: "Update your card" })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("link", { name: "Update your card" }));
    expect(await screen.findByRole("region", { name: "Update your card" })).toBeVisible();
  });

  it.each([
    ["no grace", null],
    ["one that is over", "2020-01-01T00:00:00+00:00"],
  ])("is not there with %s: the paywall says what happened", async (_, ends) => {
    open("/studentdash", ends);
    expect(
      await screen.findByText(/You have no access until the payment goes through/),
    ).toBeVisible();
    expect(window.location.pathname).toBe("/paywall");
    expect(screen.queryByText(title)).not.toBeInTheDocument();
  });

  it("is not there for a member who paid", async () => {
    open("/account", later, "active");
    expect(await screen.findByRole("heading", { name: "Account" })).toBeVisible();
    expect(screen.queryByText(title)).not.toBeInTheDocument();
  });
});
