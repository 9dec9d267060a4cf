export { SubmissionReportQueue } from "./components/submission-report-queue.tsx";
