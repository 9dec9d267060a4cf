export { useSubscription } from "./queries.ts";
