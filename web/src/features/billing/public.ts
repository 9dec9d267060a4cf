export { useSubscription, type SubscriptionView } from "./use-subscription.ts";
export { isActive, type Subscription } from "./model/subscription.ts";
