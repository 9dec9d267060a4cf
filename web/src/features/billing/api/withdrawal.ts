import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";

/** What the member could withdraw from now. The amount is in minor units, the time in epoch milliseconds. */
export interface WithdrawalRight {
  readonly endsAt: number;
  readonly amountPence: number;
  readonly currency: string;
}

const rights = z.array(
  z.object({ ends_at: z.string(), amount_pence: z.number(), currency: z.string() }),
);

/** Reads the caller's right to withdraw; null without one. Throws the database's error. */
export async function fetchWithdrawalRight(client: BackendClient): Promise<WithdrawalRight | null> {
  const { data, error } = await client.rpc("my_withdrawal_right");
  if (error) throw error;
  const [right] = rights.parse(data);
  if (right === undefined) return null;
  return {
    endsAt: Date.parse(right.ends_at),
    amountPence: right.amount_pence,
    currency: right.currency.toUpperCase(),
  };
}

/** Takes the membership back. @returns null when it worked, else the server's text, empty when it gave none. */
export async function withdrawMembership(client: BackendClient): Promise<string | null> {
  const { status, body } = await callFunction(client, "stripe-withdraw", {});
  return status === 200 ? null : textOf(body, "error");
}
