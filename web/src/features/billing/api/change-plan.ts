import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import type {
  PlanChangePreviewResponse,
  PlanChangeRefusal,
  PlanChangeResponse,
} from "../model/plan-change-response.ts";

const preview = z.object({
  quote_id: z.string(),
  kind: z.enum(["upgrade", "downgrade"]),
  currency: z.string(),
  due_now: z.number(),
  lines: z.array(z.object({ description: z.string(), amount: z.number() })),
  next_amount: z.number(),
  next_at: z.number(),
});

/** Asks what a change to this price costs. Nothing is changed. */
export async function requestPlanChangePreview(
  client: BackendClient,
  priceId: string,
): Promise<
  { readonly kind: "previewed"; readonly preview: PlanChangePreviewResponse } | PlanChangeRefusal
> {
  const { status, body } = await callFunction(client, "stripe-preview-plan-change", {
    price_id: priceId,
  });
  const parsed = status === 200 ? preview.safeParse(body) : undefined;
  if (parsed?.success !== true) return { kind: "refused", message: textOf(body, "error") };
  const { data } = parsed;
  return {
    kind: "previewed",
    preview: {
      quoteId: data.quote_id,
      kind: data.kind,
      currency: data.currency.toUpperCase(),
      dueNowPence: data.due_now,
      lines: data.lines.map(({ description, amount }) => ({ description, amountPence: amount })),
      nextAmountPence: data.next_amount,
      nextAt: data.next_at,
    },
  };
}

/** Makes the change of a preview. */
export async function requestPlanChange(
  client: BackendClient,
  quoteId: string,
): Promise<PlanChangeResponse> {
  const { status, body } = await callFunction(client, "stripe-change-plan", { quote_id: quoteId });
  const clientSecret = textOf(body, "client_secret");
  if (status === 200 && body["requires_action"] === true && clientSecret !== "") {
    return { kind: "needs-authentication", clientSecret, changeId: textOf(body, "change_id") };
  }
  if (status === 200 && body["success"] === true) {
    return { kind: body["result"] === "planned" ? "planned" : "changed" };
  }
  if (status < 400 || status >= 500) return { kind: "unclear" };
  return { kind: "refused", message: textOf(body, "error") };
}

/**
 * Undoes the planned change with this id, and no other that was planned since. `error` is null when it worked, else the
 * server's text, empty when it gave none.
 */
export async function cancelPlanChange(
  client: BackendClient,
  changeId: string,
): Promise<{ readonly error: string | null }> {
  const { status, body } = await callFunction(client, "stripe-cancel-plan-change", {
    change_id: changeId,
  });
  return { error: status === 200 ? null : textOf(body, "error") };
}
