export { useSubscription, type SubscriptionView } from "./use-subscription.ts";
export { isActive, type Subscription } from "./model/subscription.ts";
export { PaywallPage } from "./components/paywall-page.tsx";
export { SuccessPage } from "./components/success-page.tsx";
export { SubscriptionsPage } from "./components/subscriptions-page.tsx";
