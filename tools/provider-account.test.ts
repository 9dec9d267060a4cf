import type Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { checkAccount, checkPermissions, checkWallets, checkWebhook } from "./provider-account.ts";

const unreachable = () =>
  Promise.reject(Object.assign(new Error("timed out"), { type: "StripeConnectionError" }));
const forbidden = () =>
  Promise.reject(Object.assign(new Error("no"), { type: "StripePermissionError" }));

describe("the account of the key", () => {
  const account = (changes: object = {}) => {
    const settings = {
      dashboard: { display_name: "Fourfold Ltd" },
      payments: { statement_descriptor: "FOURFOLD" },
    };
    const found = {
      id: "acct_1",
      charges_enabled: true,
      payouts_enabled: true,
      settings,
      ...changes,
    };
    return () => Promise.resolve(found as unknown as Stripe.Account);
  };

  it("is named, with what the cardholder will read", async () => {
    expect(await checkAccount(account())).toBe("acct_1 (Fourfold Ltd), “FOURFOLD” on statements");
  });

  it.each([
    [{ charges_enabled: false }, "takes no payments yet"],
    [{ payouts_enabled: false }, "pays nothing out yet"],
  ])("with %j is a problem", async (changes, words) => {
    await expect(checkAccount(account(changes))).rejects.toThrow(words);
  });

  it("without a name on statements is a warning", async () => {
    const settings = { dashboard: {}, payments: { statement_descriptor: null } };
    expect(await checkAccount(account({ settings }))).toEqual({
      warning: expect.stringContaining("without a statement descriptor"),
    });
  });

  it("is left open when the key may not read it, or the provider is away", async () => {
    expect(await checkAccount(forbidden)).toEqual({
      warning: "not looked at: the key lacks the permission to read the account",
    });
    expect(await checkAccount(unreachable)).toEqual({
      warning: expect.stringMatching(/^not looked at: the card provider/),
    });
    const wrong = () => Promise.reject(new Error("Invalid API Key provided"));
    await expect(checkAccount(wrong)).rejects.toThrow("Invalid API Key");
  });
});

describe("the wallets of the site's domain", () => {
  const domain = (changes: object = {}) => ({
    domain_name: "members.example.org",
    enabled: true,
    apple_pay: { status: "active" },
    google_pay: { status: "active" },
    link: { status: "active" },
    ...changes,
  });
  const check = async (...domains: object[]) =>
    await checkWallets(
      () => Promise.resolve(domains as Stripe.PaymentMethodDomain[]),
      "https://members.example.org",
    );

  it("are named where the domain is registered, and missed nowhere else", async () => {
    expect(await check(domain())).toBe("all may be shown on members.example.org");
    for (const others of [
      [],
      [domain({ domain_name: "example.org" })],
      [domain({ enabled: false })],
    ]) {
      expect(await check(...others)).toMatch(/^none: members.example.org is not registered/);
    }
  });

  it("that are not ready are a warning, with the provider's reason", async () => {
    const error_message = "the file was not found";
    const apple_pay = { status: "inactive", status_details: { error_message } };
    expect(await check(domain({ apple_pay, link: { status: "inactive" } }))).toEqual({
      warning:
        "members.example.org is registered, but not ready for Apple Pay (the file was not found), Link",
    });
    expect(await checkWallets(forbidden, "https://members.example.org")).toEqual({
      warning: "not looked at: the key lacks the permission to read payment method domains",
    });
  });
});

describe("the webhook endpoint", () => {
  const site = "https://members.example.org";
  const url = `${site}/functions/v1/stripe-webhook`;
  const sound = { url, status: "enabled", api_version: "2026-10-28.endive", enabled_events: ["*"] };
  const listed =
    (...endpoints: object[]) =>
    () =>
      Promise.resolve(endpoints as unknown as Stripe.WebhookEndpoint[]);

  it("is found at this install's address, also with the account's own version", async () => {
    const other = { ...sound, url: "https://elsewhere.example/hook", status: "disabled" };
    expect(await checkWebhook(listed(other, sound), site)).toContain(url);
    expect(await checkWebhook(listed({ ...sound, api_version: null }), site)).toContain(url);
  });

  it.each([
    [{ url: "https://staging.example.org/functions/v1/stripe-webhook" }, "there is no endpoint"],
    [{ status: "disabled" }, "switched off"],
    [{ api_version: "2024-06-20" }, "2024-06-20 is older than 2025-03-31"],
    [{ enabled_events: ["invoice.paid", "customer.deleted"] }, "customer.subscription.created"],
  ])("with %j is a problem", async (changes, words) => {
    await expect(checkWebhook(listed({ ...sound, ...changes }), site)).rejects.toThrow(words);
  });
});

describe("the permissions of the key", () => {
  const may = () => Promise.resolve({});

  it("that are lacking are named, all at once", async () => {
    const readings = { Customers: may, Disputes: forbidden, Refunds: forbidden };
    await expect(checkPermissions(readings, true)).rejects.toThrow(
      "the key may not read Disputes, Refunds",
    );
    expect(await checkPermissions({ Customers: may }, true)).toMatch(/^reads everything/);
  });

  it("of a secret key are everything, which is said", async () => {
    expect(await checkPermissions({ Customers: may }, false)).toContain(
      "a restricted one is safer",
    );
    expect(await checkPermissions({ Customers: unreachable }, true)).toEqual({
      warning: expect.stringMatching(/^not looked at/),
    });
  });
});
