export { ArticleView } from "./components/article-view.tsx";
export type { Article } from "./model/article.ts";
