import type { Category } from "@/domain/categories.ts";
import { nextSubcategory } from "../model/next-item.ts";
import { useShelfHome } from "../queries.ts";
import { NextForYou, NextForYouLoading } from "./next-for-you.tsx";

/** The next course of a level, or once all are finished the next article. Nothing when both are done. */
export default function NextStepInLevel({ category }: { readonly category: Category }) {
  const { data: courses, isError: isCoursesFailed } = useShelfHome(category, "courses");
  const { data: articles, isError: isArticlesFailed } = useShelfHome(category, "articles");
  if (courses === undefined) return isCoursesFailed ? null : <NextForYouLoading />;
  if (nextSubcategory(courses) !== null) {
    return <NextForYou category={category} shelf="courses" home={courses} isInCard />;
  }
  if (articles === undefined) return isArticlesFailed ? null : <NextForYouLoading />;
  return <NextForYou category={category} shelf="articles" home={articles} isInCard />;
}
