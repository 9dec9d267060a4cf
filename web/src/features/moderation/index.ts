export { ReportDialog } from "./components/report-dialog.tsx";
export { ReportQueue } from "./components/report-queue.tsx";
export type { ReportSubject } from "./model/report.ts";
export { reportKindName } from "./strings.ts";
