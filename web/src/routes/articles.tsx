export { ArticlesPage as default } from "@/features/articles/public.ts";
