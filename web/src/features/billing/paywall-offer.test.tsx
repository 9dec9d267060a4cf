import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { planLines } from "@/domain/plan-lines.ts";
import { createFakeStripe, installScript, removeScript } from "@/app/testing/fake-stripe.ts";

const plan = { currency: "GBP", interval: "month", is_active: true };
const plans = (["student", "mentor"] as const).map((role) => ({
  ...plan,
  amount_pence: role === "student" ? 5000 : 10_000,
  id: `${role}-access`,
  name: role === "student" ? "Student Access" : "Mentor Access",
  role,
  price_id: `price_${role}_access`,
}));

beforeEach(() => {
  const provider = createFakeStripe();
  installScript(() => provider.stripe);
});
afterEach(() => removeScript());

function open(path = "/paywall", accountPlan?: string) {
  const session = sessionOf();
  const user = { ...session.user, user_metadata: { plan: accountPlan } };
  return renderApp(path, {
    session: { ...session, user },
    rows: { ...memberRows(), stripe_subscriptions: null, plans },
    config: {
      stripePublishableKey: "pk_test_1",
      stripeScriptUrl: "http://backend.test/sandbox/stripe/v3/",
    },
  });
}

it("says before anybody pays what the guarantee asks for", async () => {
  open();
  await screen.findByRole("button", { name: /^PAY £/ });
  const terms = screen.getByRole("region", { name: "What the guarantee asks of you" });
  expect(terms).toHaveTextContent("In your first 7 days, write down what you earn a month.");
  for (const asked of ["6 monthly check-ins", "12 submissions", "150 messages", "12 articles"]) {
    expect(terms).toHaveTextContent(asked);
  }
  expect(within(terms).getByRole("link", { name: "Read the guarantee's terms" })).toHaveAttribute(
    "href",
    "/guarantee",
  );
});

it("lists for each plan what the landing page lists, and sells nothing of both as the mentor's", async () => {
  open();
  await screen.findByRole("button", { name: /^PAY £/ });
  for (const line of [...planLines.student, ...planLines.mentor]) {
    expect(screen.getAllByText(line)).toHaveLength(1);
  }
  const [student = "", mentor = ""] = screen
    .getAllByRole("radio")
    .map((radio) => radio.closest("label")?.textContent ?? "");
  expect(student).toContain("Collaborations and directory");
  expect(mentor).not.toMatch(/directory|collaborat/i);
  expect(mentor).toContain("Cross-audience selling");
  expect(mentor).toContain("Student affiliate system");
});

it("says beside PAY what paying accepts, and how long one can change one's mind", async () => {
  open();
  const pay = await screen.findByRole("button", { name: /^PAY £/ });
  const form = within(pay.closest("form") as HTMLElement);
  expect(form.getByText(/^By paying you accept the/)).toHaveTextContent(
    "By paying you accept the terms and ask us to begin at once. You have 14 days to change your mind and get your money back.",
  );
  expect(
    form.getByText(
      "10x your income within 6 months, or your money back and you continue for free.",
    ),
  ).toBeVisible();
  expect(form.getByText(/card details .+ never reach our servers/)).toBeVisible();
  expect(form.getByRole("link", { name: "terms" })).toHaveAttribute("href", "/terms");
  expect(form.getByRole("link", { name: "change your mind" })).toHaveAttribute("href", "/refunds");
});

it("begins with the plan chosen on the front page, also after a confirmed address", async () => {
  open("/onboarding?plan=mentor");
  expect(await screen.findByRole("button", { name: "PAY £100" })).toBeVisible();
  expect(screen.getByRole("radio", { name: /Mentor Access/ })).toBeChecked();
  expect(
    screen.getByText(
      "Join now and you pay £100 a month, the same for as long as your membership runs.",
    ),
  ).toBeVisible();
  expect(window.location.pathname + window.location.search).toBe("/paywall?plan=mentor");
});

it.each([
  ["mentor", "PAY £100"],
  ["owner", "PAY £50"],
])(
  "begins with the plan %s that the account was made for, on another device too",
  async (plan, pay) => {
    open("/paywall", plan);
    expect(await screen.findByRole("button", { name: pay })).toBeVisible();
  },
);
