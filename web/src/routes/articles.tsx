export { ArticlesPage as default } from "@/features/articles/index.ts";
