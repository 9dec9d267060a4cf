export { useSubscription } from "./use-subscription.ts";

/*
 * Everybody needs the hook above, few need checkout and the card provider's code. So the pages
 * are fetched by whoever shows them.
 */
export const loadPaywallPage = async () =>
  (await import("./components/paywall-page.tsx")).PaywallPage;
export const loadSuccessPage = async () =>
  (await import("./components/success-page.tsx")).SuccessPage;
export const loadSubscriptionsPage = async () =>
  (await import("./components/subscriptions-page.tsx")).SubscriptionsPage;
