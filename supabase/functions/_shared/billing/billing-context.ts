import type Stripe from "stripe";
import type { BillingDatabase } from "./billing-database.ts";

/** The clients every billing function works with. */
export interface BillingClients {
  stripe: Stripe;
  database: BillingDatabase;
}

/** As `BillingClients`, where prices are compared with the provider. */
export interface BillingContext extends BillingClients {
  /** Whether the install runs with real money. */
  isLiveMode: boolean;
}
