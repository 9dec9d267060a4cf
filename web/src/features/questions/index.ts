export { Questions } from "./components/questions.tsx";
export { useWaitingQuestions } from "./queries.ts";
export { WaitingQuestions } from "./components/waiting-questions.tsx";
