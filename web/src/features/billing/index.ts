export { useSubscription } from "./queries.ts";

/*
 * The hook above is needed everywhere. The pages load lazily, because few visits need the card
 * provider's code.
 */
export const loadPaywallPage = async () => (await import("./pages/paywall-page.tsx")).PaywallPage;
export const loadSuccessPage = async () => (await import("./pages/success-page.tsx")).SuccessPage;
export const loadSubscriptionsPage = async () =>
  (await import("./pages/subscriptions-page.tsx")).SubscriptionsPage;
