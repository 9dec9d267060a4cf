import { libraryPath } from "@/domain/library-paths.ts";
import { trainingCoursePath } from "@/domain/paths.ts";
import { todayStrings } from "../strings.ts";
import type { Today } from "../model/today.ts";

/** What was left open, with the way back to it. */
export interface ContinueLink {
  readonly kind: "lesson" | "article";
  readonly title: string;
  readonly detail: string;
  readonly to: string;
}

/** The lesson and the article left open, as far as there are any. */
export function continueLinks({ lesson, article }: Today["continue"]): readonly ContinueLink[] {
  const links: ContinueLink[] = [];
  if (lesson !== null) {
    const course = lesson.is_training
      ? trainingCoursePath(lesson.course_id)
      : libraryPath(lesson.category, "courses", lesson.subcategory, lesson.course_id);
    links.push({
      kind: "lesson",
      title: lesson.title,
      detail: todayStrings.lesson(lesson.course, lesson.progress),
      to: `${course}?module=${encodeURIComponent(lesson.module)}`,
    });
  }
  if (article !== null) {
    links.push({
      kind: "article",
      title: article.title,
      detail: todayStrings.article(article.minutes),
      to: libraryPath(article.category, "articles", article.subcategory, article.article_id),
    });
  }
  return links;
}
