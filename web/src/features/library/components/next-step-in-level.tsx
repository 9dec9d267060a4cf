import type { Category } from "@/domain/categories.ts";
import { nextSubcategory } from "../model/next-item.ts";
import { useShelfHome } from "../queries.ts";
import { NextForYou } from "./next-for-you.tsx";

/** The next course of a level, or once all are finished the next article. Nothing when both are done. */
export default function NextStepInLevel({ category }: { readonly category: Category }) {
  const { data: courses } = useShelfHome(category, "courses");
  const { data: articles } = useShelfHome(category, "articles");
  if (courses === undefined) return null;
  if (nextSubcategory(courses) !== null) {
    return <NextForYou category={category} shelf="courses" home={courses} />;
  }
  if (articles === undefined) return null;
  return <NextForYou category={category} shelf="articles" home={articles} />;
}
