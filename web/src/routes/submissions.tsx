export { SubmissionsPage as default } from "@/features/submissions/public.ts";
