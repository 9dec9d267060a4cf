export { MessageChoiceForm } from "./components/message-choice-form.tsx";
export { TextReportQueue } from "./components/text-report-queue.tsx";
export { useUnreadConversations } from "./queries.ts";
