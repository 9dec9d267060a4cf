import type { BackendClient } from "@/lib/backend-client.ts";

/**
 * Prepares the member as a customer of the card provider. It is a courtesy: the payment function
 * does it again when it is missing, so a failure is logged and nothing more.
 */
export async function createStripeCustomer(client: BackendClient): Promise<void> {
  const { error } = await client.functions.invoke("create-stripe-customer", { method: "POST" });
  if (error) console.warn("The payment customer could not be prepared yet.", error);
}
