export { GraceBanner } from "./components/grace-banner.tsx";
export { CardField } from "./components/card-field.tsx";
export { PayElements } from "./components/pay-elements.tsx";
export type { CreateSubscriptionResult } from "./api/create-subscription.ts";
export {
  pay,
  type PaymentOutcome,
  type PaymentProblem,
  type PaymentRefusalCode,
} from "./model/pay.ts";
export { billingStrings as paymentRefusalTexts } from "./strings/payment.ts";
export { useCardEntry } from "./pay-form.ts";
export { useStripeLibrary } from "./use-stripe-library.ts";
export { useComplimentary, useSubscription, useVatDocuments } from "./queries.ts";
export { vatDocumentStrings } from "./strings/vat.ts";
export { formatStatus, statusNote } from "./components/format-subscription.ts";
