import * as z from "zod/mini";
import { categories } from "../categories.ts";
import { readingMinutes } from "../reading-minutes.ts";
import type { ArticleFile, CourseFile, SubcategoryFile } from "./library.ts";
import { LibraryReader, unfinishedFolder, type FileSources } from "./library-reader.ts";
import {
  articleTexts,
  courseTexts,
  subcategoryTexts,
  type LibraryTexts,
} from "./library-writer.ts";

const workShape = z.object({
  kind: z.enum(["article", "course"]),
  subcategory_id: z.nullable(z.string()),
  slug: z.string(),
  title: z.string(),
  excerpt: z.string(),
  tags: z.array(z.string()),
  content: z.string(),
  difficulty_level: z.string(),
  price: z.number(),
  modules: z.array(
    z.object({
      slug: z.string(),
      title: z.string(),
      content: z.string(),
      minutes: z.nullable(z.number()),
      video_url: z.nullable(z.string()),
    }),
  ),
  is_featured: z.boolean(),
  /** Null for drafts, which get the next place. */
  display_order: z.nullable(z.number()),
  /** For drafts: members read another version, which is among the published ones. */
  has_published_version: z.boolean(),
});
type Work = z.infer<typeof workShape>;

const exportShape = z.object({
  subcategories: z.array(
    z.object({
      id: z.string(),
      main_category: z.enum(categories),
      slug: z.string(),
      name: z.string(),
      description: z.string(),
      color: z.string(),
      icon: z.string(),
      open_to_mentors: z.boolean(),
      display_order: z.number(),
    }),
  ),
  published: z.array(workShape),
  drafts: z.array(workShape),
});

function toArticle(work: Work, order: number): ArticleFile {
  const content = work.content.trim();
  return {
    slug: work.slug,
    title: work.title,
    excerpt: work.excerpt,
    tags: work.tags,
    is_featured: work.is_featured,
    display_order: order,
    estimated_read_time: readingMinutes(content),
    content,
  };
}

function toCourse(work: Work, order: number): CourseFile {
  return {
    slug: work.slug,
    title: work.title,
    description: work.excerpt,
    difficulty_level: work.difficulty_level,
    price: work.price,
    is_featured: work.is_featured,
    display_order: order,
    modules: work.modules.map((module, index) => ({
      slug: isFileName(module.slug) ? module.slug : `module-${index + 1}`,
      title: module.title,
      module_order: index + 1,
      estimated_duration: module.minutes ?? readingMinutes(module.content),
      video_url: module.video_url,
      content: module.content.trim(),
    })),
  };
}

function isFileName(slug: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug);
}

/** Files as the reader takes them. */
export function sourcesOf(texts: ReadonlyMap<string, string>): FileSources {
  return new Map(Array.from(texts, ([path, text]) => [path, new Blob([text])]));
}

function textsOf(work: Work, folder: string, order: number): LibraryTexts {
  return work.kind === "article"
    ? articleTexts(folder, toArticle(work, order))
    : courseTexts(folder, toCourse(work, order));
}

async function hasIssues(work: Work, folder: string, texts: LibraryTexts): Promise<boolean> {
  // Which icons there are is the operator's to check: here are no subcategories.
  const reader = new LibraryReader(sourcesOf(texts), () => true);
  if (work.kind === "article") await reader.article(`${folder}/${work.slug}.md`);
  else await reader.course(`${folder}/courses/${work.slug}`);
  return reader.issues.length > 0;
}

/** Puts everything one wrote into files. */
class StudioFiles {
  readonly texts: LibraryTexts = new Map();
  readonly #shelves: ReadonlyMap<string, SubcategoryFile>;
  /** Kind, category and address of what is in the library's folders. */
  readonly #taken = new Set<string>();
  readonly #lastOrder = new Map<string, number>();

  constructor(shelves: ReadonlyMap<string, SubcategoryFile>) {
    this.#shelves = shelves;
  }

  #add(texts: LibraryTexts): void {
    for (const [path, text] of texts) this.texts.set(path, text);
  }

  async add(work: Work): Promise<void> {
    const shelf = this.#shelves.get(work.subcategory_id ?? "");
    const folder = shelf ? `${shelf.main_category}/${shelf.slug}` : "";
    const place = `${work.kind} ${folder}`;
    const order = work.display_order ?? (this.#lastOrder.get(place) ?? 0) + 1;
    const key = `${work.kind} ${shelf?.main_category ?? ""} ${work.slug}`;
    const hasNames = [work, ...work.modules].every(({ slug }) => isFileName(slug));
    if (shelf && hasNames && !work.has_published_version && !this.#taken.has(key)) {
      const texts = textsOf(work, folder, order);
      if (!(await hasIssues(work, folder, texts))) {
        this.#taken.add(key);
        this.#lastOrder.set(place, Math.max(order, this.#lastOrder.get(place) ?? 0));
        this.#add(subcategoryTexts(folder, shelf));
        this.#add(texts);
        return;
      }
    }
    this.#addUnfinished(work, folder === "" ? unfinishedFolder : `${unfinishedFolder}/${folder}`);
  }

  #addUnfinished(work: Work, folder: string): void {
    const base = isFileName(work.slug) ? work.slug : "untitled";
    for (let count = 1; ; count++) {
      const slug = count === 1 ? base : `${base}-${count}`;
      const texts = textsOf({ ...work, slug }, folder, 1);
      if (texts.keys().some((path) => this.texts.has(path))) continue;
      this.#add(texts);
      return;
    }
  }
}

/**
 * The files of everything a mentor wrote, from the answer of `export_studio`: published work and drafts without issues in the
 * library's own folders, all else in `_unfinished`, which an import by the operator leaves out.
 */
export async function studioFiles(exported: unknown): Promise<LibraryTexts> {
  const { subcategories, published, drafts } = exportShape.parse(exported);
  const files = new StudioFiles(
    new Map(subcategories.map(({ id, ...row }) => [id, { ...row, articles: [], courses: [] }])),
  );
  for (const work of [...published, ...drafts]) await files.add(work);
  return files.texts;
}
