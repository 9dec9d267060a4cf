import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import type { Refusal } from "@/lib/refusal.ts";

/** A price to put on sale. */
export interface NewPlanPrice {
  /** Makes a repeated call the same price. */
  readonly requestId: string;
  readonly planId: string;
  readonly interval: "month" | "year";
  readonly pence: number;
  readonly reason: string;
}

/** Puts a price on sale. Returns why it was not, or null when it is. */
export async function addPlanPrice(
  client: BackendClient,
  given: NewPlanPrice,
): Promise<Refusal<"unanswered"> | null> {
  const { status, body } = await callFunction(client, "admin-plan-prices", {
    request_id: given.requestId,
    plan_id: given.planId,
    interval: given.interval,
    amount_pence: given.pence,
    reason: given.reason,
  });
  if (status === 200) return null;
  const message = textOf(body, "error");
  return message === "" ? { code: "unanswered" } : { message };
}

/** Takes a yearly price off sale. Throws the database's error. */
export async function retirePlanPrice(
  client: BackendClient,
  price: string,
  reason: string,
): Promise<null> {
  const { error } = await client.rpc("retire_plan_price", { price, reason });
  if (error) throw error;
  return null;
}
