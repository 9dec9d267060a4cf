export { NewSubmissionPage as default } from "@/features/submissions/index.ts";
