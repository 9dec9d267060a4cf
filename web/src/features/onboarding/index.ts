export { EditAnswers } from "./components/edit-answers.tsx";
