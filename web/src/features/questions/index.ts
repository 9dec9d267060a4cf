export { Questions } from "./components/questions.tsx";
export { WaitingQuestions } from "./components/waiting-questions.tsx";
