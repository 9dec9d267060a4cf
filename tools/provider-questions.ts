import type Stripe from "stripe";
import type { ProviderLab } from "./provider-lab.ts";

/** What the provider did, in words, and whether it is what the product counts on. */
export interface SettledQuestion {
  readonly answer: string;
  readonly isAsCountedOn: boolean;
}

/** Something about the card provider that only an account of it can settle. */
export interface ProviderQuestion {
  readonly question: string;
  /** What in the product hangs on it. */
  readonly matters: string;
  readonly ask: (lab: ProviderLab) => Promise<SettledQuestion>;
}

const settled = (isAsCountedOn: boolean, answer: string): SettledQuestion => ({
  isAsCountedOn,
  answer,
});

/** The provider's refusal; undefined when there was none. */
async function refusalOf(asked: Promise<unknown>): Promise<Stripe.errors.StripeError | undefined> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    if ((error as { statusCode?: unknown }).statusCode === undefined) throw error;
    return error as Stripe.errors.StripeError;
  }
}

const described = (refusal: Stripe.errors.StripeError | undefined): string =>
  refusal === undefined
    ? "it is taken"
    : `${refusal.statusCode} ${refusal.code ?? refusal.type}: ${refusal.message}`;

const endOf = ({ items }: Stripe.Subscription): number =>
  items.data[0]?.current_period_end ?? Number.NaN;

/** Everything that is open, in the order in which docs/subsystems/billing.md lists it. */
export const providerQuestions: readonly ProviderQuestion[] = [
  {
    question: "Does a planned change of plan set `cancel_at`?",
    matters: "endsWithPeriod in subscription-snapshot.ts, which is right either way",
    ask: async (lab) => {
      const subscription = await lab.subscription(10_000);
      await lab.planChange(subscription, 5000);
      const { cancel_at: at } = await lab.stripe.subscriptions.retrieve(subscription.id);
      return settled(true, at === null ? "no" : `yes, to ${at}`);
    },
  },
  {
    question: "Does cancelling after a planned change end the membership with its period?",
    matters: "a member who cancelled would be charged again (renewal.ts)",
    ask: async (lab) => {
      const subscription = await lab.subscription(10_000);
      const schedule = await lab.planChange(subscription, 5000);
      await lab.stripe.subscriptionSchedules.release(schedule.id);
      await lab.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
      await lab.pass(33);
      const { status } = await lab.stripe.subscriptions.retrieve(subscription.id);
      const { data } = await lab.stripe.invoices.list({ subscription: subscription.id });
      return settled(
        status === "canceled" && data.length === 1,
        `it is ${status} after ${data.length} invoices`,
      );
    },
  },
  {
    question: "Does ending a subscription refuse while a schedule manages it?",
    matters: "cancelling releases the schedule when it is told so (stripe-client.ts)",
    ask: async (lab) => {
      const subscription = await lab.subscription(10_000);
      await lab.planChange(subscription, 5000);
      const refusal = await refusalOf(
        lab.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
      );
      const isKnown = /managed by the subscription schedule/.test(refusal?.message ?? "");
      return settled(refusal === undefined || isKnown, described(refusal));
    },
  },
  {
    question: "When does the phase of a schedule begin that is made after an upgrade?",
    matters: "planned-change.ts sends it back unchanged; another start is refused",
    ask: async (lab) => {
      const subscription = await lab.subscription(5000);
      const [item] = subscription.items.data;
      await lab.pass(5);
      const upgraded = await lab.stripe.subscriptions.update(subscription.id, {
        items: [{ id: item?.id ?? "", price: await lab.price(10_000) }],
        proration_behavior: "always_invoice",
        payment_behavior: "pending_if_incomplete",
      });
      const schedule = await lab.planChange(upgraded, 5000);
      const began = schedule.phases[0]?.start_date;
      const isPeriod = began === upgraded.items.data[0]?.current_period_start;
      return settled(true, isPeriod ? "with the period" : `at ${began}, within the period`);
    },
  },
  {
    question: "Is a change of plan previewed while another one is planned?",
    matters: "stripe-preview-plan-change, which answers 502 when it is refused",
    ask: async (lab) => {
      const subscription = await lab.subscription(5000);
      await lab.planChange(subscription, 4000);
      const [item] = subscription.items.data;
      const refusal = await refusalOf(
        lab.stripe.invoices.createPreview({
          subscription: subscription.id,
          subscription_details: {
            items: [{ id: item?.id ?? "", price: await lab.price(10_000) }],
            proration_behavior: "always_invoice",
          },
        }),
      );
      return settled(refusal === undefined, described(refusal));
    },
  },
  {
    question: "Is a renewal's invoice a draft for an hour?",
    matters: "what is cancelled in that hour is not charged; nothing breaks otherwise",
    ask: async (lab) => {
      const subscription = await lab.subscription(5000);
      const days = (endOf(subscription) - subscription.created) / 86_400;
      await lab.pass(days + 0.01);
      const { data } = await lab.stripe.invoices.list({ subscription: subscription.id });
      return settled(true, data[0]?.status === "draft" ? "yes" : `no, it is ${data[0]?.status}`);
    },
  },
  {
    question: "How does the provider refuse a code for first payments after a payment?",
    matters: "isDiscountRefused in stripe-client.ts; otherwise PAY answers 502",
    ask: async (lab) => {
      const { stripe } = lab;
      const { customer } = await lab.subscription(5000);
      const coupon = await stripe.coupons.create({ percent_off: 10, duration: "once" });
      const { id: code } = await stripe.promotionCodes.create({
        promotion: { type: "coupon", coupon: coupon.id },
        restrictions: { first_time_transaction: true },
      });
      const refusal = await refusalOf(
        stripe.subscriptions.create({
          customer: typeof customer === "string" ? customer : customer.id,
          items: [{ price: await lab.price(10_000) }],
          payment_behavior: "default_incomplete",
          discounts: [{ promotion_code: code }],
        }),
      );
      await stripe.promotionCodes.update(code, { active: false });
      const isKnown = /prior transactions|promotion_code|coupon/i.test(
        `${refusal?.message} ${refusal?.param}`,
      );
      return settled(refusal !== undefined && isKnown, described(refusal));
    },
  },
  {
    question: "What does a list of a customer that the key does not know answer?",
    matters: "with a wrong key nobody loses a membership (reconcile.ts)",
    ask: async ({ stripe }) => {
      const refusal = await refusalOf(stripe.invoices.list({ customer: "cus_of_another_account" }));
      return settled(
        refusal === undefined || refusal.code === "resource_missing",
        described(refusal),
      );
    },
  },
  {
    question: "Does a card that was approved before a trial pay by itself when it ends?",
    matters: "approve-card.ts: the first real charge of every trial",
    ask: async (lab) => {
      const { stripe } = lab;
      const { id: customer, card } = await lab.customer();
      const setup = await stripe.setupIntents.create({
        customer,
        payment_method: card,
        usage: "off_session",
        allowed_payment_method_types: ["card"],
        confirm: true,
        use_stripe_sdk: true,
      });
      const { id } = await stripe.subscriptions.create({
        customer,
        items: [{ price: await lab.price(5000) }],
        default_payment_method: card,
        trial_period_days: 7,
        payment_behavior: "default_incomplete",
      });
      await lab.pass(8);
      const { status } = await stripe.subscriptions.retrieve(id);
      return settled(
        setup.status === "succeeded" && status === "active",
        `the setup is ${setup.status}, the subscription ${status}`,
      );
    },
  },
  {
    question: "Does a card with a wallet say so?",
    matters: "trial-card.ts refuses wallets; pay once with one on the paywall and look at the card",
    ask: async ({ stripe }) => {
      const { data } = await stripe.charges.list({ limit: 100 });
      const found = data.find((each) => each.payment_method_details?.card?.wallet);
      const card = found?.payment_method_details?.card;
      return settled(
        true,
        card?.wallet
          ? `${card.wallet.type}, ${card.fingerprint ? "with" : "without"} a fingerprint`
          : "no payment with a wallet was found: make one, and run this again",
      );
    },
  },
];
