export { useSubscription } from "./queries.ts";
export { formatStatus } from "./model/format-subscription.ts";
