import { Hono } from "hono";
import * as z from "zod";
import type { SandboxControl } from "./control.ts";
import { StripeApiError } from "./api-errors.ts";
import type { SecretKeys } from "./http/keys.ts";

const amount = z.number().min(0).optional();
const clockStep = z.strictObject({
  months: z.number().int().min(0).optional(),
  days: amount,
  hours: amount,
  seconds: amount,
});
const order = z.strictObject({ order: z.union([z.literal("reverse"), z.array(z.string())]) });
const replay = z.strictObject({ event: z.string(), badSignature: z.boolean().optional() });
const challenge = z.strictObject({
  paymentIntent: z.string(),
  outcome: z.enum(["complete", "fail"]),
});
const dispute = z.strictObject({
  charge: z.string(),
  reason: z.enum(["fraudulent", "product_not_received"]).optional(),
  isInquiry: z.boolean().optional(),
});
const disputeOutcome = z.strictObject({ dispute: z.string(), outcome: z.enum(["won", "lost"]) });
const scheduleShape = z.strictObject({ setCancelAt: z.boolean() });
const renewalShape = z.object({ stayDrafts: z.boolean() });
const rolledKey = z.strictObject({ secretKey: z.string().startsWith("sk_test_") });
const failedRefund = z.strictObject({ refund: z.string() });
const networkFault = z.strictObject({
  method: z.enum(["DELETE", "GET", "POST"]).optional(),
  path: z.string().startsWith("/v1/").optional(),
  when: z.enum(["after", "before"]),
  action: z.enum(["delay", "drop", "error"]),
  delayMs: z.number().int().min(0).max(600_000).optional(),
  status: z.number().int().min(400).max(599).optional(),
  times: z.number().int().min(1).max(1000).optional(),
  shouldRetry: z.boolean().optional(),
});

const listNames = [
  "charges",
  "customers",
  "disputes",
  "events",
  "invoices",
  "subscriptions",
] as const;

/** `SandboxControl` as an HTTP API with JSON bodies and a secret key as bearer token. */
export function createControlApp(control: SandboxControl, secretKeys: SecretKeys): Hono {
  const app = new Hono();
  app.use("*", async (c, next) => {
    const [, given = ""] = /^Bearer (.+)$/.exec(c.req.header("authorization") ?? "") ?? [];
    if (!secretKeys.isGood(given)) {
      return c.json({ error: "The sandbox's secret key is needed as bearer token." }, 401);
    }
    return await next();
  });
  app.onError((cause, c) => {
    if (cause instanceof StripeApiError) return c.json({ error: cause.message }, 400);
    if (cause instanceof z.ZodError) return c.json({ error: z.prettifyError(cause) }, 400);
    if (cause instanceof SyntaxError) return c.json({ error: "The body is not JSON." }, 400);
    return c.json({ error: "The sandbox failed." }, 500);
  });

  app.get("/clock", (c) => c.json({ now: control.now() }));
  app.post("/clock", async (c) => {
    const step = clockStep.parse(await c.req.json());
    return c.json({ now: await control.advance(step) });
  });

  app.post("/schedules", async (c) => {
    const { setCancelAt } = scheduleShape.parse(await c.req.json());
    control.letPhasesSetCancelAt(setCancelAt);
    return c.json({ setCancelAt });
  });

  app.post("/renewals", async (c) => {
    const { stayDrafts } = renewalShape.parse(await c.req.json());
    control.letRenewalsStayDrafts(stayDrafts);
    return c.json({ stayDrafts });
  });

  app.get("/webhooks", (c) =>
    c.json({
      paused: control.isPaused(),
      queue: control.queue(),
      deliveries: control.deliveries(),
    }),
  );
  app.post("/webhooks/pause", (c) => {
    control.pauseWebhooks();
    return c.json({ paused: true });
  });
  app.post("/webhooks/resume", (c) => {
    control.resumeWebhooks();
    return c.json({ paused: false });
  });
  app.post("/webhooks/reorder", async (c) => {
    const given = order.parse(await c.req.json());
    return c.json({ queue: control.reorderWebhooks(given.order) });
  });
  app.post("/webhooks/replay", async (c) => {
    const given = replay.parse(await c.req.json());
    control.replayEvent(given.event, given.badSignature);
    return c.json({ queue: control.queue() });
  });
  app.post("/webhooks/redeliver", (c) => c.json({ events: control.redeliver() }));
  app.post("/webhooks/settle", async (c) => {
    await control.settled();
    return c.json({ queue: control.queue(), deliveries: control.deliveries() });
  });

  app.post("/keys/roll", async (c) => {
    control.rollSecretKey(rolledKey.parse(await c.req.json()).secretKey);
    return c.json({ rolled: true });
  });
  app.post("/keys/expire", (c) => {
    control.expirePreviousKeys();
    return c.json({ expired: true });
  });

  app.post("/faults", async (c) => {
    control.addFault(networkFault.parse(await c.req.json()));
    return c.json({ added: true });
  });
  app.delete("/faults", (c) => {
    control.clearFaults();
    return c.json({ cleared: true });
  });
  app.post("/challenges", async (c) => {
    const given = challenge.parse(await c.req.json());
    await control.answerChallenge(given.paymentIntent, given.outcome === "complete");
    return c.json({ answered: true });
  });

  app.post("/disputes", async (c) => {
    const { charge, ...options } = dispute.parse(await c.req.json());
    return c.json(await control.openDispute(charge, options));
  });
  app.post("/disputes/close", async (c) => {
    const given = disputeOutcome.parse(await c.req.json());
    return c.json(await control.closeDispute(given.dispute, given.outcome));
  });

  app.post("/refunds/fail", async (c) => {
    return c.json(await control.failRefund(failedRefund.parse(await c.req.json()).refund));
  });

  for (const list of listNames) app.get(`/${list}`, (c) => c.json({ data: control[list]() }));
  app.post("/reset", async (c) => {
    await control.reset();
    return c.json({ reset: true });
  });
  return app;
}
