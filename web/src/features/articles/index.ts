export { ArticlePage } from "./pages/article-page.tsx";
export { ArticlesPage } from "./pages/articles-page.tsx";
