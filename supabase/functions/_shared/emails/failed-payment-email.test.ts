import { describe, expect, it } from "vitest";
import { writeEmail } from "./email-templates.ts";

const known = {
  plan: "Student Access",
  card_last4: "4242",
  amount: 5000,
  currency: "gbp",
  next_attempt_at: "2026-12-05T09:30:00+00:00",
};

function textOf(data: object): string {
  return JSON.stringify(writeEmail("payment_failed", data));
}

describe("the e-mail about a failed payment", () => {
  it("says how much, when it is tried again, and that access has ended, with the way to the card", () => {
    const text = textOf(known);
    expect(text).toContain("card ending in 4242");
    expect(text).toContain('["Amount","£50.00"]');
    expect(text).toContain('["Next try","5 December 2026"]');
    expect(text).toContain("You have no access to the community until it is paid.");
    expect(text).toContain('"/subscriptions?card=update"');
  });

  it("says until when everything stays open", () => {
    const text = textOf({ ...known, access_until: "2026-12-07T09:30:00+00:00" });
    expect(text).toContain("You keep your access until 7 December 2026");
    expect(text).not.toContain("You have no access");
  });

  it("says that no try follows", () => {
    const { next_attempt_at: _, ...rest } = known;
    expect(textOf(rest)).toContain('["Next try","None planned"]');
  });

  it("claims nothing of an invoice that was not read yet", () => {
    expect(textOf({ plan: "Student Access" })).not.toMatch(/Amount|Next try/);
  });
});
