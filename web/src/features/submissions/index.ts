export { NewSubmissionPage } from "./pages/new-submission-page.tsx";
export { SubmissionsPage } from "./pages/submissions-page.tsx";
