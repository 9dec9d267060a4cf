export { NewSubmissionPage } from "./components/new-submission-page.tsx";
export { SubmissionsPage } from "./components/submissions-page.tsx";
