import { stringify } from "yaml";
import type { ArticleFile, CourseFile, SubcategoryFile } from "./library.ts";

/** Texts of files by path. */
export type LibraryTexts = Map<string, string>;

/** One file. Every text is quoted, so that no value is taken for another type. */
function page(fields: Readonly<Record<string, unknown>>, body = ""): string {
  const yaml = stringify(fields, {
    lineWidth: 0,
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "PLAIN",
  });
  return `---\n${yaml}---\n${body === "" ? "" : `\n${body}\n`}`;
}

function featured(isFeatured: boolean): { featured?: true } {
  return isFeatured ? { featured: true } : {};
}

function covered({ cover }: Pick<ArticleFile, "cover">): { cover?: string } {
  return cover === null ? {} : { cover };
}

/** `_subcategory.md`, below the folder of its category. */
export function subcategoryTexts(folder: string, shelf: SubcategoryFile): LibraryTexts {
  const { name, description, color, icon, open_to_mentors: isOpen, display_order: order } = shelf;
  const mentors = isOpen ? { mentors: true } : {};
  const text = page({ name, description, color, icon, ...mentors, order });
  return new Map([[`${folder}/_subcategory.md`, text]]);
}

/** The file of an article in the folder of its subcategory. */
export function articleTexts(folder: string, article: ArticleFile): LibraryTexts {
  const { slug, title, excerpt, tags, is_featured, display_order: order, content } = article;
  const fields = { title, excerpt, tags, ...featured(is_featured), ...covered(article), order };
  return new Map([[`${folder}/${slug}.md`, page(fields, content)]]);
}

/** The files of a course in the folder of its subcategory. */
export function courseTexts(folder: string, course: CourseFile): LibraryTexts {
  const { slug, title, description, difficulty_level: difficulty, price, modules } = course;
  const { is_featured, display_order: order } = course;
  const here = `${folder}/courses/${slug}`;
  const shown = { ...featured(is_featured), ...covered(course) };
  const sheet = { title, description, difficulty, price, ...shown, order };
  const texts: LibraryTexts = new Map([[`${here}/_course.md`, page(sheet)]]);
  for (const module of modules) {
    const { video_url: video, estimated_duration: minutes } = module;
    const fields = { title: module.title, minutes, ...(video === null ? {} : { video }) };
    const number = String(module.module_order).padStart(2, "0");
    texts.set(`${here}/${number}-${module.slug}.md`, page(fields, module.content));
  }
  return texts;
}
