export { ArticlePage as default } from "@/features/articles/index.ts";
