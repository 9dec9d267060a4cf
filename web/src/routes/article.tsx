export { ArticlePage as default } from "@/features/articles/public.ts";
