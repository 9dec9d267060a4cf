export { NewSubmissionPage as default } from "@/features/submissions/public.ts";
