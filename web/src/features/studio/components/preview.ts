import type { Article } from "@/features/articles/index.ts";
import { formatDifficulty, type Course } from "@/features/courses/index.ts";
import { readingMinutes } from "@/domain/reading-minutes.ts";
import type { DraftDetail, StudioSubcategory } from "../api/drafts.ts";
import { titleOrUntitled } from "../strings/names.ts";

/** Where the draft stands while it has no subcategory: the preview names no place. */
const nowhere = { slug: "", name: "" };

/** The article that publishing the newest version would make. */
export function toPreviewArticle(
  { id, ownerName, content }: DraftDetail,
  place: StudioSubcategory | undefined,
): Article {
  return {
    id,
    slug: content.slug,
    title: titleOrUntitled(content.title),
    excerpt: content.excerpt,
    content: content.content,
    imageUrl: content.cover,
    minutes: readingMinutes(content.content),
    tags: content.tags,
    readCount: 0,
    rating: { average: null, count: 0 },
    subcategory: place ?? nowhere,
    author: ownerName === "" ? null : { id: null, name: ownerName, role: "mentor" },
    isRead: false,
  };
}

/** The course that publishing the newest version would make, as an enrolled member sees it. */
export function toPreviewCourse(
  { id, ownerName, content }: DraftDetail,
  place: StudioSubcategory | undefined,
): Course {
  const modules = content.modules.map((module, index) => ({
    id: `${id}/${index}`,
    slug: module.slug === "" ? `module-${index + 1}` : module.slug,
    title: titleOrUntitled(module.title),
    content: module.content,
    videoUrl: module.videoUrl,
    minutes: module.minutes ?? readingMinutes(module.content),
    isComplete: false,
    isGone: false,
  }));
  return {
    id,
    slug: content.slug,
    title: titleOrUntitled(content.title),
    description: content.excerpt,
    imageUrl: content.cover,
    price: content.price === 0 ? null : content.price,
    minutes: modules.reduce((sum, { minutes }) => sum + minutes, 0),
    difficulty: formatDifficulty(content.difficulty),
    enrolled: 0,
    moduleCount: modules.length,
    subcategory: place ?? nowhere,
    mentor: ownerName === "" ? null : { id: null, name: ownerName, role: "mentor" },
    rating: { average: null, count: 0 },
    enrollment: { progress: 0, isComplete: false, isBehind: false },
    modules,
  };
}
