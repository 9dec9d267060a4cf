import type Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "./main.ts";
import { client, failure, openFixture, testPublishableKey } from "./testing/sandbox-fixture.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterAll(() => sandbox.stop());

/** A payment that waits for its cardholder, and the path of the challenge. */
async function waiting(): Promise<{ id: string; path: string }> {
  const intent = await stripe.paymentIntents.create({
    amount: 1234,
    currency: "gbp",
    payment_method: "pm_card_authenticationRequired",
    confirm: true,
    return_url: "https://shop.example/back?order=7",
  });
  expect(intent.next_action?.type).toBe("redirect_to_url");
  const url = new URL(intent.next_action?.redirect_to_url?.url ?? "");
  return { id: intent.id, path: url.pathname.replace("/sandbox/stripe", "") };
}

const answer = (path: string, outcome: string) =>
  sandbox.app.request(`${path}/${outcome}`, { method: "POST" });

describe("a challenge reached by redirect", () => {
  it("shows what is paid, and sends the cardholder back when it is accepted", async () => {
    const { id, path } = await waiting();
    const page = await sandbox.app.request(path);
    expect(await page.text()).toContain("£12.34");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const response = await answer(path, "complete");
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toContain(
      `https://shop.example/back?order=7&payment_intent=${id}&payment_intent_client_secret=${id}_secret_`,
    );
    const paid = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
    expect(paid).toMatchObject({
      status: "succeeded",
      latest_charge: {
        payment_method_details: { card: { three_d_secure: { result: "authenticated" } } },
      },
    });
    expect((await failure(stripe.paymentIntents.confirm(id))).message).toContain(
      "already succeeded",
    );
  });

  it("fails the payment when it is refused, once", async () => {
    const { id, path } = await waiting();
    expect((await answer(path, "fail")).status).toBe(303);
    expect((await stripe.paymentIntents.retrieve(id)).last_payment_error?.code).toBe(
      "payment_intent_authentication_failure",
    );
    expect((await answer(path, "complete")).status).toBe(404);
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe("requires_payment_method");
  });

  it("is not found at another address or after a cancellation", async () => {
    const { id, path } = await waiting();
    expect((await answer(`/3d-secure/${id}/${"x".repeat(24)}`, "complete")).status).toBe(404);
    expect((await answer(path, "other")).status).toBe(404);
    await stripe.paymentIntents.cancel(id);
    expect((await answer(path, "complete")).status).toBe(404);
    expect((await sandbox.app.request(path)).status).toBe(404);
  });
});

describe("the browser-facing app", () => {
  it("accepts only the publishable key, from any origin", async () => {
    const call = (key: string, path: string) =>
      sandbox.app.request(path, { headers: { authorization: `Bearer ${key}` } });
    expect((await call("sk_test_sandbox_fixture_key", "/v1/customers")).status).toBe(401);
    expect((await call(testPublishableKey, "/v1/customers")).status).toBe(403);
    const open = (response: Response) => response.headers.get("access-control-allow-origin");
    const preflight = await sandbox.app.request("/v1/payment_methods", { method: "OPTIONS" });
    expect([preflight.status, open(preflight)]).toEqual([204, "*"]);
    expect(preflight.headers.get("access-control-allow-headers")).toBe(
      "authorization,content-type",
    );
    const refused = await call("pk_test_unknown", "/v1/payment_methods");
    expect([refused.status, open(refused)]).toEqual([401, "*"]);
    expect(refused.headers.get("access-control-expose-headers")).toBe("Request-Id");
    expect(refused.headers.get("request-id")).toMatch(/^req_/);
    // Frames without an origin load the scripts; no page of another origin controls the sandbox.
    expect(open(await sandbox.app.request("/v3/elements/card.js"))).toBe("*");
    expect(open(await sandbox.app.request("/control/clock"))).toBeNull();
  });

  it("is as open at the address of the API, where a sandbox that runs by itself has its pages", async () => {
    const ask = async (path: string, method: string) => {
      const answer = await fetch(`${sandbox.apiBase}${path}`, { method });
      return [answer.status, answer.headers.get("access-control-allow-origin")];
    };
    expect(await ask("/v1/payment_methods", "OPTIONS")).toEqual([204, "*"]);
    expect(await ask("/v1/payment_methods", "POST")).toEqual([401, "*"]);
    expect(await ask("/v3/elements/card.js", "GET")).toEqual([200, "*"]);
    expect((await ask("/control/clock", "OPTIONS"))[1]).toBeNull();
  });

  it("serves its script and the files of the frame, and no others", async () => {
    const script = await sandbox.app.request("/v3/");
    expect(script.headers.get("content-type")).toContain("text/javascript");
    expect(await script.text()).not.toMatch(/^(?:import|export) /m);
    expect((await sandbox.app.request("/v3/elements/card.html")).status).toBe(200);
    expect((await sandbox.app.request("/v3/elements/brand-visa.svg")).status).toBe(200);
    expect((await sandbox.app.request("/v3/elements/brand-none.svg")).status).toBe(404);
    expect((await sandbox.app.request("/v3/elements/..%2F..%2Fmain.ts")).status).toBe(404);
  });
});
