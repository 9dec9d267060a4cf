export { MessageChoiceForm } from "./components/message-choice-form.tsx";
export { useUnreadConversations } from "./queries.ts";
