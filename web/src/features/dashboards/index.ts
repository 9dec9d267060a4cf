export { DisputeQueue } from "./components/dispute-queue.tsx";
export { queueNames, type QueueCount, type QueueName } from "./model/overview.ts";
export { useQueueCounts } from "./queries.ts";
