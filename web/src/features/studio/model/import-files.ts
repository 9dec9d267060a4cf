import { categories, type Category } from "@/domain/categories.ts";
import {
  LibraryReader,
  type FileSource,
  type FileSources,
} from "@/domain/library-files/library-reader.ts";
import type { ArticleFile, CourseFile } from "@/domain/library-files/library.ts";
import { shownPictureFiles } from "@/domain/library-files/picture-files.ts";
import { importErrorStrings } from "../strings/import.ts";
import type { DraftContent, DraftKind } from "./draft.ts";
import { folderOf, isArchive, isIgnored, nameOf } from "./import-paths.ts";
import { ImportError, importLimits, unzipFiles } from "./unzip.ts";

/** A file of a person's choice, with its path when it came with a folder. */
export interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

/** One thing that has to be mended in a file. */
export interface FileIssue {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** The line itself. */
  readonly text: string;
}

/** An article or a course among the chosen files. */
export interface ImportItem {
  /** The file of an article, the folder of a course. */
  readonly path: string;
  readonly kind: DraftKind;
  readonly title: string;
  /** The subcategory that its folders name, as category and slug. */
  readonly shelf: { readonly category: Category; readonly slug: string } | null;
  /** Null while there are issues. Its pictures are named by their files. */
  readonly content: DraftContent | null;
  /** The files of its pictures, by the path with which its texts name them. */
  readonly pictures: FileSources;
  readonly issues: readonly FileIssue[];
}

/** What was found in the chosen files. */
export interface ReadImport {
  readonly items: readonly ImportItem[];
  /** Paths of files that are no part of an article or a course. */
  readonly leftOut: readonly string[];
}

/** The files of a choice: each as it is, a zip archive unpacked. Throws an `ImportError` over the limits. */
export async function chosenFiles(chosen: readonly ChosenFile[]): Promise<FileSources> {
  const files = new Map<string, FileSource>();
  for (const { path, file } of chosen) {
    // macOS writes accents apart from their letters.
    const name = path.normalize("NFC");
    const found = isArchive(path) ? await unzipFiles(file) : new Map([[name, file]]);
    for (const [at, source] of found) {
      if (isIgnored(at)) continue;
      if (files.has(at)) throw new ImportError(importErrorStrings.chosenTwice(at));
      files.set(at, source);
    }
    if (files.size > importLimits.files) {
      throw new ImportError(importErrorStrings.tooManyFiles(importLimits.files));
    }
  }
  const bytes = files.values().reduce((sum, { size }) => sum + size, 0);
  if (bytes > importLimits.totalBytes) {
    throw new ImportError(importErrorStrings.tooManyBytes);
  }
  return files;
}

/** The subcategory of a folder that ends with the names of a category and of a subcategory. */
function shelfOf(folder: string): ImportItem["shelf"] {
  const [categoryName, slug] = folder.split("/").slice(-2);
  const category = categories.find((known) => known === categoryName);
  return category === undefined || slug === undefined ? null : { category, slug };
}

function articleContent(article: ArticleFile): DraftContent {
  const { slug, title, excerpt, tags, content } = article;
  return {
    title,
    subcategoryId: null,
    slug,
    excerpt,
    tags,
    content,
    difficulty: "beginner",
    price: 0,
    modules: [],
    cover: article.cover,
  };
}

const difficulties = ["beginner", "intermediate", "advanced"] as const;

function courseContent(course: CourseFile): DraftContent {
  const { slug, title, description, difficulty_level: level, price } = course;
  return {
    title,
    subcategoryId: null,
    slug,
    excerpt: description,
    tags: [],
    content: "",
    difficulty: difficulties.find((known) => known === level) ?? "beginner",
    price,
    modules: course.modules.map((module) => ({
      slug: module.slug,
      title: module.title,
      content: module.content,
      minutes: module.estimated_duration,
      videoUrl: module.video_url,
    })),
    cover: course.cover,
  };
}

/** The line of a file; empty when there is none, or the file is no text. */
async function lineOf(file: FileSource | undefined, line: number): Promise<string> {
  if (file === undefined || file.size > 256 * 1024) return "";
  const text = new TextDecoder().decode(await file.arrayBuffer());
  return text.split(/\r?\n/)[line - 1] ?? "";
}

/** The files of the pictures that texts in a folder show. The reader has checked that they are there. */
function picturesOf(files: FileSources, folder: string, content: DraftContent | null): FileSources {
  if (content === null) return new Map();
  const texts = [content, ...content.modules].flatMap((text) => shownPictureFiles(text.content));
  const paths = content.cover === null ? texts : [content.cover, ...texts];
  const found = new Map<string, FileSource>();
  for (const path of paths) {
    const file = files.get(folder === "" ? path : `${folder}/${path}`);
    if (file !== undefined) found.set(path, file);
  }
  return found;
}

async function readItem(files: FileSources, path: string, kind: DraftKind): Promise<ImportItem> {
  // A mentor makes no subcategories, so no icon is looked up.
  const reader = new LibraryReader(files, () => true);
  const article = kind === "article" ? await reader.article(path) : undefined;
  const course = kind === "course" ? await reader.course(path) : undefined;
  const content = article ? articleContent(article) : course ? courseContent(course) : null;
  const folder = folderOf(path);
  const pictures = picturesOf(files, kind === "course" ? path : folder, content);
  const issues = await Promise.all(
    reader.issues.map(async (issue) => ({
      ...issue,
      text: await lineOf(files.get(issue.file), issue.line),
    })),
  );
  return {
    path,
    kind,
    title: content?.title ?? "",
    shelf: shelfOf(kind === "course" && nameOf(folder) === "courses" ? folderOf(folder) : folder),
    content: issues.length === 0 ? content : null,
    pictures,
    issues,
  };
}

/**
 * Finds the articles and courses among files, wherever their folders begin, and checks each as an import of files does. A course
 * is a folder with `_course.md`, or any folder below one called `courses`.
 */
export async function readImport(files: FileSources): Promise<ReadImport> {
  const courses = new Set<string>();
  for (const path of files.keys()) {
    const folder = folderOf(path);
    const isCourse = nameOf(path) === "_course.md" || nameOf(folderOf(folder)) === "courses";
    if (isCourse && folder !== "") courses.add(folder);
  }
  const items: ImportItem[] = [];
  const leftOut: string[] = [];
  for (const path of [...files.keys()].toSorted()) {
    if (courses.has(folderOf(path)) || nameOf(path) === "_subcategory.md") continue;
    if (path.toLowerCase().endsWith(".md")) items.push(await readItem(files, path, "article"));
    else leftOut.push(path);
  }
  for (const folder of [...courses].toSorted()) items.push(await readItem(files, folder, "course"));
  const used = new Set<FileSource | undefined>(
    items.flatMap(({ pictures }) => [...pictures.values()]),
  );
  return { items, leftOut: leftOut.filter((path) => !used.has(files.get(path))) };
}
