import type Stripe from "stripe";
import { expandableId, newObjectId } from "../ids.ts";
import type { SandboxState } from "../sandbox-state.ts";

/** The issuer of a card warns that a payment was fraud, before anybody disputes it. */
export function warnOfFraud(state: SandboxState, intent: Stripe.PaymentIntent): void {
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: newObjectId("issfr"),
    object: "radar.early_fraud_warning",
    actionable: true,
    charge: expandableId(intent.latest_charge),
    created: state.now(),
    fraud_type: "misc",
    livemode: false,
    payment_intent: intent.id,
  };
  state.put("earlyFraudWarnings", warning);
  state.emit("radar.early_fraud_warning.created", warning);
}

/** Something can be done about a warning until its charge is disputed or refunded in full. */
export function warningNow(
  state: SandboxState,
  warning: Stripe.Radar.EarlyFraudWarning,
): Stripe.Radar.EarlyFraudWarning {
  const { disputed, refunded } = state.get("charges", expandableId(warning.charge));
  return { ...warning, actionable: !disputed && !refunded };
}
