import { lazy } from "react";

export { useSubscription, type SubscriptionView } from "./use-subscription.ts";
export { isActive, type Subscription } from "./model/subscription.ts";

/* Pages are fetched when they are shown, so that the hook above stays cheap for everybody. */
export const PaywallPage = lazy(async () => ({
  default: (await import("./components/paywall-page.tsx")).PaywallPage,
}));
export const SuccessPage = lazy(async () => ({
  default: (await import("./components/success-page.tsx")).SuccessPage,
}));
export const SubscriptionsPage = lazy(async () => ({
  default: (await import("./components/subscriptions-page.tsx")).SubscriptionsPage,
}));
