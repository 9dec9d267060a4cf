import * as z from "zod/mini";
import { categories } from "../categories.ts";
import { contentPictureName } from "../content-pictures.ts";
import { readingMinutes } from "../reading-minutes.ts";
import type { ArticleFile, CourseFile, SubcategoryFile } from "./library.ts";
import { LibraryReader, unfinishedFolder, type FileSources } from "./library-reader.ts";
import { pictureFileOf, storedPictures, withPictureFiles } from "./picture-files.ts";
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
  cover: z.nullable(z.string()),
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
    content: withPictureFiles(content),
    cover: coverFile(work),
  };
}

function coverFile({ cover }: Work): string | null {
  const name = contentPictureName(cover);
  return name === null ? null : pictureFileOf(name);
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
    cover: coverFile(work),
    modules: work.modules.map((module, index) => ({
      slug: isFileName(module.slug) ? module.slug : `module-${index + 1}`,
      title: module.title,
      module_order: index + 1,
      estimated_duration: module.minutes ?? readingMinutes(module.content),
      video_url: module.video_url,
      content: withPictureFiles(module.content.trim()),
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

/** Names in the bucket of the pictures that a work shows, by their path. */
function picturesOf(work: Work, folder: string): Map<string, string> {
  const here = work.kind === "article" ? folder : `${folder}/courses/${work.slug}`;
  const cover = contentPictureName(work.cover);
  const names = [
    ...(cover === null ? [] : [cover]),
    ...[work, ...work.modules].flatMap(({ content }) => storedPictures(content)),
  ];
  return new Map(names.map((name) => [`${here}/${pictureFileOf(name)}`, name]));
}

async function hasIssues(
  work: Work,
  folder: string,
  { texts, pictures }: StudioExport,
): Promise<boolean> {
  // Which icons there are is the operator's to check: here are no subcategories.
  const reader = new LibraryReader(
    new Map([...sourcesOf(texts), ...sourcesOf(pictures)]),
    () => true,
  );
  if (work.kind === "article") await reader.article(`${folder}/${work.slug}.md`);
  else await reader.course(`${folder}/courses/${work.slug}`);
  return reader.issues.length > 0;
}

/** Everything one wrote, as files. */
export interface StudioExport {
  readonly texts: LibraryTexts;
  /** Names of stored pictures in the bucket `content-pictures`, by the path of their file. */
  readonly pictures: Map<string, string>;
}

function filesOf(work: Work, folder: string, order: number): StudioExport {
  return { texts: textsOf(work, folder, order), pictures: picturesOf(work, folder) };
}

/** Puts everything one wrote into files. */
class StudioFiles implements StudioExport {
  readonly texts: LibraryTexts = new Map();
  readonly pictures = new Map<string, string>();
  readonly #shelves: ReadonlyMap<string, SubcategoryFile>;
  /** Kind, category and address of what is in the library's folders. */
  readonly #taken = new Set<string>();
  readonly #lastOrder = new Map<string, number>();

  constructor(shelves: ReadonlyMap<string, SubcategoryFile>) {
    this.#shelves = shelves;
  }

  #add({ texts, pictures }: StudioExport): void {
    for (const [path, text] of texts) this.texts.set(path, text);
    for (const [path, name] of pictures) this.pictures.set(path, name);
  }

  async add(work: Work): Promise<void> {
    const shelf = this.#shelves.get(work.subcategory_id ?? "");
    const folder = shelf ? `${shelf.main_category}/${shelf.slug}` : "";
    const place = `${work.kind} ${folder}`;
    const order = work.display_order ?? (this.#lastOrder.get(place) ?? 0) + 1;
    const key = `${work.kind} ${shelf?.main_category ?? ""} ${work.slug}`;
    const hasNames = [work, ...work.modules].every(({ slug }) => isFileName(slug));
    if (shelf && hasNames && !work.has_published_version && !this.#taken.has(key)) {
      const files = filesOf(work, folder, order);
      if (!(await hasIssues(work, folder, files))) {
        this.#taken.add(key);
        this.#lastOrder.set(place, Math.max(order, this.#lastOrder.get(place) ?? 0));
        this.#add({ texts: subcategoryTexts(folder, shelf), pictures: new Map() });
        this.#add(files);
        return;
      }
    }
    this.#addUnfinished(work, folder === "" ? unfinishedFolder : `${unfinishedFolder}/${folder}`);
  }

  #addUnfinished(work: Work, folder: string): void {
    const base = isFileName(work.slug) ? work.slug : "untitled";
    for (let count = 1; ; count++) {
      const slug = count === 1 ? base : `${base}-${count}`;
      const files = filesOf({ ...work, slug }, folder, 1);
      if (files.texts.keys().some((path) => this.texts.has(path))) continue;
      this.#add(files);
      return;
    }
  }
}

/**
 * The files of everything a mentor wrote, from the answer of `export_studio`: published work and drafts without issues in the
 * library's own folders, all else in `_unfinished`, which an import by the operator leaves out. Pictures lie beside the texts that show them.
 */
export async function studioFiles(exported: unknown): Promise<StudioExport> {
  const { subcategories, published, drafts } = exportShape.parse(exported);
  const files = new StudioFiles(
    new Map(subcategories.map(({ id, ...row }) => [id, { ...row, articles: [], courses: [] }])),
  );
  for (const work of [...published, ...drafts]) await files.add(work);
  return files;
}
