export { useSubscription } from "./queries.ts";

/*
 * Everybody needs the hook above, few need checkout and the card provider's code. So the pages
 * are fetched by whoever shows them.
 */
export const loadPaywallPage = async () => (await import("./pages/paywall-page.tsx")).PaywallPage;
export const loadSuccessPage = async () => (await import("./pages/success-page.tsx")).SuccessPage;
export const loadSubscriptionsPage = async () =>
  (await import("./pages/subscriptions-page.tsx")).SubscriptionsPage;
