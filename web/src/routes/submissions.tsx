export { SubmissionsPage as default } from "@/features/submissions/index.ts";
