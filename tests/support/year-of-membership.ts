import { mentorPlan, studentPlan, type BillingFixture, type Payer } from "./billing.ts";

/** Deliveries stand still while a step is made, so that `record` sees the provider before and after them. */
type RecordStage = () => Promise<void>;

/** Puts a price of the student plan on sale in the place of the one before. */
async function sell(
  billing: BillingFixture,
  interval: "month" | "year",
  amount: number,
): Promise<string> {
  const { product } = await billing.stripe.prices.retrieve(studentPlan);
  const { id } = await billing.stripe.prices.create({
    product: typeof product === "string" ? product : product.id,
    unit_amount: amount,
    currency: "gbp",
    recurring: { interval },
  });
  const sale = { plan_id: "student-access", interval, amount_pence: amount, currency: "GBP" };
  await billing.sql("select private.billing_add_plan_price($1, $2, $3)", [null, id, sale]);
  return id;
}

/**
 * Lives through everything that happens to a membership that begins with 14 free days: the first payment, renewals that are drafts for an hour, a failed payment, another card, a year and back to
 * months, upgrade,
 * downgrade, cancelled, kept, cancelled again, lapsed, back with a payment that is refunded in part and in full, back with an
 * upgrade that is refunded, upgraded again, disputed and won, collection paused for a month and resumed, lapsed, back and withdrawn, back
 * again. Ends as an active mentor.
 */
export async function simulateMembershipYear(
  billing: BillingFixture,
  ada: Payer,
  record: RecordStage,
): Promise<void> {
  const call = async (name: string, body: Record<string, unknown> = {}) => {
    const answer = await billing.call(ada.client, name, body);
    if (answer.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer.body;
  };
  const step = async (make: () => Promise<unknown>): Promise<void> => {
    await billing.control("/webhooks/pause", {});
    await make();
    await record();
    await billing.control("/webhooks/resume", {});
    await billing.deliverWebhooks();
    await record();
  };
  const id = async () => String((await billing.subscription(ada))?.["subscription_id"]);
  const change = async (price: string) => {
    const { quote_id } = await call("stripe-preview-plan-change", { price_id: price });
    await call("stripe-change-plan", { quote_id });
  };
  const customer = await billing.customerId(ada);
  const useCard = async (card: string) => {
    const method = await billing.stripe.paymentMethods.attach(card, { customer });
    await billing.stripe.subscriptions.update(await id(), { default_payment_method: method.id });
  };
  const latestCharge = async () =>
    (await billing.stripe.charges.list({ customer, limit: 1 })).data[0]?.id ?? "";
  const month = async () => await billing.control("/clock", { months: 1, hours: 2 });
  const renewal = async (name: "cancel" | "uncancel") =>
    await call(`stripe-${name}-subscription`, { subscription_id: await id() });

  await step(async () => await billing.control("/clock", { days: 14, seconds: 60 }));
  await step(async () => await billing.control("/clock", { hours: 2 }));
  await step(async () => await billing.control("/clock", { months: 1 }));
  await step(async () => await billing.control("/clock", { hours: 2 }));
  await step(async () => {
    await useCard("pm_card_chargeCustomerFail");
    await month();
  });
  await step(async () => {
    await useCard("pm_card_mastercard");
    const [open] = (await billing.stripe.invoices.list({ customer, status: "open" })).data;
    await billing.stripe.invoices.pay(open?.id ?? "");
  });
  // Into a year, whose price changes meanwhile, undone once, and back to months when it is over.
  const year = await sell(billing, "year", 50_000);
  await step(async () => await change(year));
  await step(async () => await sell(billing, "year", 60_000));
  await step(async () => await change(studentPlan));
  await step(async () => {
    const { pending_change_id } = (await billing.subscription(ada)) ?? {};
    await call("stripe-cancel-plan-change", { change_id: pending_change_id });
  });
  await step(async () => await change(studentPlan));
  await step(async () => await billing.control("/clock", { months: 12, hours: 2 }));
  await step(async () => {
    await billing.control("/clock", { days: 10 });
    await change(mentorPlan);
  });
  await step(async () => await change(studentPlan));
  await step(month);
  await step(async () => await renewal("cancel"));
  await step(async () => await renewal("uncancel"));
  await step(async () => await renewal("cancel"));
  await step(month);
  await step(async () => await billing.pay(ada, mentorPlan));
  await step(
    async () => await billing.stripe.refunds.create({ charge: await latestCharge(), amount: 1500 }),
  );
  await step(async () => await billing.stripe.refunds.create({ charge: await latestCharge() }));
  await step(async () => await billing.pay(ada, studentPlan));
  await step(async () => await billing.control("/clock", { days: 3 }));
  await step(async () => await change(mentorPlan));
  await step(async () => await billing.stripe.refunds.create({ charge: await latestCharge() }));
  await step(async () => await billing.control("/clock", { days: 3 }));
  await step(async () => await change(mentorPlan));
  let dispute: unknown;
  await step(async () => {
    ({ id: dispute } = await billing.control("/disputes", { charge: await latestCharge() }));
  });
  await step(async () => await billing.control("/disputes/close", { dispute, outcome: "won" }));
  const pause = async (pause_collection: { behavior: "void" } | "") =>
    await billing.stripe.subscriptions.update(await id(), { pause_collection });
  await step(async () => await pause({ behavior: "void" }));
  await step(month);
  await step(async () => await pause(""));
  await step(month);
  await step(async () => await renewal("cancel"));
  await step(month);
  await step(async () => await billing.pay(ada, studentPlan));
  await step(async () => await call("stripe-withdraw"));
  await step(async () => await billing.pay(ada, mentorPlan));
}
