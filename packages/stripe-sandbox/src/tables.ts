import type Stripe from "stripe";

/** Internal data of a payment method: the test card it stands for. Never a card number. */
interface CardNote {
  /** The test card's first token, or its last four digits if it has none. */
  testCard: string;
  /** The cardholder has authenticated while it was set up for later payments. */
  isSetUp: boolean;
  /** Detached, or used once without being attached; cannot be used again. */
  isRetired: boolean;
}

/** Internal data of a payment or setup intent. */
interface IntentNote {
  invoice: string | null;
  subscription: string | null;
  /** Secret part of the challenge page's address while one is open. */
  challenge: string | null;
  /** `return_url` of a challenge reached by redirect. */
  returnUrl: string | null;
}

/** A proration waiting for the next invoice. Amounts in minor units; negative is a credit. */
export interface PendingLine {
  amount: number;
  description: string;
  priceId: string;
  periodStart: number;
  periodEnd: number;
}

/** A change of an item that is made once its invoice is paid. */
export interface PendingUpdate {
  invoice: string;
  item: string;
  price: string;
  quantity: number;
  /** Start of the new billing cycle, epoch seconds, when the rhythm changes. */
  anchor?: number | null;
}

interface SubscriptionNote {
  pendingLines: PendingLine[];
  pendingUpdate: PendingUpdate | null;
  /** The end of the trial was announced. */
  isTrialEndAnnounced?: boolean;
  /** End of the period (epoch seconds) whose next invoice was announced. */
  upcomingAnnounced?: number;
  /** Save the payment method as the subscription's default after it has paid. */
  saveDefaultMethod: boolean;
}

export interface StoredEvent {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null } | null;
  type: string;
}

/** A queued webhook delivery. Times in real epoch milliseconds. */
export interface WebhookDelivery {
  eventId: string;
  attempts: number;
  notBefore: number;
  badSignature: boolean;
}

export interface StoredResponse {
  fingerprint: string;
  status: number;
  body: string;
  requestId: string;
  /** What its `Stripe-Should-Retry` says, when it has one. */
  shouldRetry?: boolean | undefined;
  /** Real epoch seconds. */
  storedAt: number;
}

export interface StateTables {
  customers: Map<string, Stripe.Customer>;
  deletedCustomers: Map<string, Stripe.DeletedCustomer>;
  paymentMethods: Map<string, Stripe.PaymentMethod>;
  products: Map<string, Stripe.Product>;
  prices: Map<string, Stripe.Price>;
  coupons: Map<string, Stripe.Coupon>;
  /** Deleted ones, whose discounts go on. */
  deletedCoupons: Map<string, Stripe.Coupon>;
  promotionCodes: Map<string, Stripe.PromotionCode>;
  discounts: Map<string, Stripe.Discount>;
  taxRates: Map<string, Stripe.TaxRate>;
  subscriptions: Map<string, Stripe.Subscription>;
  subscriptionSchedules: Map<string, Stripe.SubscriptionSchedule>;
  invoices: Map<string, Stripe.Invoice>;
  checkoutSessions: Map<string, Stripe.Checkout.Session>;
  /** What a session sells, by its id. */
  checkoutItems: Map<string, Stripe.LineItem[]>;
  creditNotes: Map<string, Stripe.CreditNote>;
  invoiceItems: Map<string, Stripe.InvoiceItem>;
  invoicePayments: Map<string, Stripe.InvoicePayment>;
  paymentIntents: Map<string, Stripe.PaymentIntent>;
  setupIntents: Map<string, Stripe.SetupIntent>;
  charges: Map<string, Stripe.Charge>;
  refunds: Map<string, Stripe.Refund>;
  disputes: Map<string, Stripe.Dispute>;
  earlyFraudWarnings: Map<string, Stripe.Radar.EarlyFraudWarning>;
  events: Map<string, StoredEvent>;
  webhookEndpoints: Map<string, Stripe.WebhookEndpoint>;
  testClocks: Map<string, Stripe.TestHelpers.TestClock>;
  balanceTransactions: Map<string, Stripe.BalanceTransaction>;
  customerBalance: Map<string, Stripe.CustomerBalanceTransaction>;
  payouts: Map<string, Stripe.Payout>;
  /** The payout of a balance transaction. */
  payoutNotes: Map<string, string>;
  tokens: Map<string, Stripe.Token>;
  cardNotes: Map<string, CardNote>;
  intentNotes: Map<string, IntentNote>;
  subscriptionNotes: Map<string, SubscriptionNote>;
  answers: Map<string, StoredResponse>;
}

/** StateTables whose rows are objects of the API, by the name used in messages. */
export const resourceNames = {
  customers: "customer",
  paymentMethods: "PaymentMethod",
  products: "product",
  prices: "price",
  coupons: "coupon",
  promotionCodes: "promotion code",
  discounts: "discount",
  taxRates: "tax rate",
  subscriptions: "subscription",
  subscriptionSchedules: "subscription_schedule",
  invoices: "invoice",
  checkoutSessions: "checkout.session",
  creditNotes: "credit note",
  invoiceItems: "invoiceitem",
  invoicePayments: "invoice_payment",
  paymentIntents: "payment_intent",
  setupIntents: "setup_intent",
  charges: "charge",
  refunds: "refund",
  disputes: "dispute",
  earlyFraudWarnings: "early fraud warning",
  events: "event",
  webhookEndpoints: "webhook endpoint",
  testClocks: "test clock",
  balanceTransactions: "balance transaction",
  customerBalance: "customer balance transaction",
  payouts: "payout",
} as const;

export type ResourceTable = keyof typeof resourceNames;

export function emptyTables(): StateTables {
  return {
    customers: new Map(),
    deletedCustomers: new Map(),
    paymentMethods: new Map(),
    products: new Map(),
    prices: new Map(),
    coupons: new Map(),
    deletedCoupons: new Map(),
    promotionCodes: new Map(),
    discounts: new Map(),
    taxRates: new Map(),
    subscriptions: new Map(),
    subscriptionSchedules: new Map(),
    invoices: new Map(),
    checkoutSessions: new Map(),
    checkoutItems: new Map(),
    creditNotes: new Map(),
    invoiceItems: new Map(),
    invoicePayments: new Map(),
    paymentIntents: new Map(),
    setupIntents: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    earlyFraudWarnings: new Map(),
    events: new Map(),
    webhookEndpoints: new Map(),
    testClocks: new Map(),
    balanceTransactions: new Map(),
    customerBalance: new Map(),
    payouts: new Map(),
    payoutNotes: new Map(),
    tokens: new Map(),
    cardNotes: new Map(),
    intentNotes: new Map(),
    subscriptionNotes: new Map(),
    answers: new Map(),
  };
}
