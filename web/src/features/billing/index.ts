export { GraceBanner } from "./components/grace-banner.tsx";
export { CardField } from "./components/card-field.tsx";
export { PayElements } from "./components/pay-elements.tsx";
export type { CreateSubscriptionResult } from "./api/create-subscription.ts";
export { bankRefusalOf, pay, type PaymentOutcome, type PaymentRefusalCode } from "./model/pay.ts";
export { billingStrings as paymentRefusalTexts, paymentRefusalText } from "./strings/payment.ts";
export { useCardForm } from "./use-card-form.ts";
export { useStripeLibrary } from "./use-stripe-library.ts";
export {
  useComplimentary,
  useSubscription,
  useVatDocuments,
  useWithdrawalRight,
} from "./queries.ts";
export { vatDocumentStrings } from "./strings/vat.ts";
export { formatStatus, statusNote } from "./components/format-subscription.ts";
