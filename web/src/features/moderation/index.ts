export { DisputeQueue } from "./components/dispute-queue.tsx";
export { ReportDialog } from "./components/report-dialog.tsx";
export { ReportQueue } from "./components/report-queue.tsx";
export {
  queueCountsFrom,
  queueNames,
  type QueueCount,
  type QueueName,
} from "./model/queue-counts.ts";
export type { ReportSubject } from "./model/report.ts";
export { RemovalDialog } from "./components/removal-dialog.tsx";
export { useExplanation } from "./use-explanation.tsx";
export { useQueueCounts } from "./use-queue-counts.ts";
export { queueTitles, reportKindName } from "./strings.ts";
