export { DisputeQueue } from "./components/dispute-queue.tsx";
export { queueNames, type QueueCount, type QueueName } from "./model/overview.ts";
export { isSecondFactorDue, useQueueCounts } from "./queries.ts";
