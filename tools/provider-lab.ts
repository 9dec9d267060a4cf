import type Stripe from "stripe";

const dayS = 86_400;

/** Objects of a test account for one question: made when asked for, and taken away with `clear`. */
export class ProviderLab {
  readonly stripe: Stripe;
  readonly #pollMs: number;
  #clock: Stripe.TestHelpers.TestClock | undefined;
  #product: string | undefined;
  readonly #prices = new Map<number, string>();

  /** @param pollMs how often the clock is looked at while it advances. */
  constructor(stripe: Stripe, pollMs: number) {
    this.stripe = stripe;
    this.#pollMs = pollMs;
  }

  async #ensureClock(): Promise<Stripe.TestHelpers.TestClock> {
    this.#clock ??= await this.stripe.testHelpers.testClocks.create({
      frozen_time: Math.floor(Date.now() / 1000),
      name: "doctor",
    });
    return this.#clock;
  }

  /** A monthly price of this many pence. */
  async price(pence: number): Promise<string> {
    this.#product ??= (await this.stripe.products.create({ name: "Doctor (can be deleted)" })).id;
    const known = this.#prices.get(pence);
    if (known !== undefined) return known;
    const { id } = await this.stripe.prices.create({
      product: this.#product,
      unit_amount: pence,
      currency: "gbp",
      recurring: { interval: "month" },
    });
    this.#prices.set(pence, id);
    return id;
  }

  /** A customer on the lab's clock, whose card pays. */
  async customer(card = "pm_card_gb"): Promise<{ id: string; card: string }> {
    const { id: clock } = await this.#ensureClock();
    const { id } = await this.stripe.customers.create({ test_clock: clock });
    const method = await this.stripe.paymentMethods.attach(card, { customer: id });
    return { id, card: method.id };
  }

  /** An active subscription that was paid. */
  async subscription(
    pence: number,
    more: Partial<Stripe.SubscriptionCreateParams> = {},
  ): Promise<Stripe.Subscription> {
    const { id: customer, card } = await this.customer();
    return await this.stripe.subscriptions.create({
      customer,
      items: [{ price: await this.price(pence) }],
      default_payment_method: card,
      ...more,
    });
  }

  /**
   * Puts a change to another price at the end of the period, as the product does.
   * @returns the schedule.
   */
  async planChange(
    subscription: Stripe.Subscription,
    pence: number,
  ): Promise<Stripe.SubscriptionSchedule> {
    const made = await this.stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    });
    const [phase] = made.phases;
    const [item] = subscription.items.data;
    if (phase === undefined || item === undefined) throw new Error("the schedule has no phase");
    return await this.stripe.subscriptionSchedules.update(made.id, {
      end_behavior: "release",
      phases: [
        {
          items: [{ price: item.price.id, quantity: 1 }],
          start_date: phase.start_date,
          end_date: item.current_period_end,
        },
        { items: [{ price: await this.price(pence), quantity: 1 }] },
      ],
    });
  }

  /** Lets days pass, and waits until everything that became due was done. @throws after five minutes. */
  async pass(days: number): Promise<void> {
    const { id } = await this.#ensureClock();
    const { frozen_time: from } = await this.stripe.testHelpers.testClocks.retrieve(id);
    await this.stripe.testHelpers.testClocks.advance(id, { frozen_time: from + days * dayS });
    const giveUpAt = Date.now() + 300_000;
    for (;;) {
      const { status } = await this.stripe.testHelpers.testClocks.retrieve(id);
      if (status === "ready") return;
      if (status === "internal_failure" || Date.now() > giveUpAt) {
        throw new Error(`the test clock ${id} is ${status}`);
      }
      await new Promise((resolve) => setTimeout(resolve, this.#pollMs));
    }
  }

  /** Deletes the clock, and with it its customers; what cannot be deleted is archived. */
  async clear(): Promise<void> {
    if (this.#clock) await this.stripe.testHelpers.testClocks.del(this.#clock.id);
    for (const id of this.#prices.values()) await this.stripe.prices.update(id, { active: false });
    if (this.#product) await this.stripe.products.update(this.#product, { active: false });
  }
}
