import { categories, type Category } from "@/domain/categories.ts";
import {
  LibraryReader,
  type FileSource,
  type FileSources,
} from "@/domain/library-files/library-reader.ts";
import type { ArticleFile, CourseFile } from "@/domain/library-files/library.ts";
import { articleTexts } from "@/domain/library-files/library-writer.ts";
import { shownPictureFiles } from "@/domain/library-files/picture-files.ts";
import type { DraftContent, DraftKind } from "./draft.ts";
import { folderOf, isArchive, isIgnored, isMarkdown, fileNameIn } from "./import-paths.ts";
import type { NoteMessage } from "./notes/note-message.ts";
import { NoteFiles } from "./notes/note-files.ts";
import { readNoteText } from "./notes/note-text.ts";
import { noteTitle, readNote, type NoteRemark } from "./notes/read-note.ts";
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
  readonly message: NoteMessage;
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
  /** What was changed on the way in, and what a draft has no place for. */
  readonly changes: readonly NoteRemark[];
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
      if (files.has(at)) throw new ImportError(["chosenTwice", at]);
      files.set(at, source);
    }
    if (files.size > importLimits.files) {
      throw new ImportError(["tooManyFiles", importLimits.files]);
    }
  }
  const bytes = files.values().reduce((sum, { size }) => sum + size, 0);
  if (bytes > importLimits.totalBytes) {
    throw new ImportError(["tooManyBytes"]);
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
  const text = readNoteText(new Uint8Array(await file.arrayBuffer()))?.text ?? "";
  return text.split("\n")[line - 1] ?? "";
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

/** Issues, each with the line of its file. */
async function withLines(
  files: FileSources,
  issues: readonly Omit<FileIssue, "text">[],
): Promise<FileIssue[]> {
  return await Promise.all(
    issues.map(async (issue) => ({
      ...issue,
      text: await lineOf(files.get(issue.file), issue.line),
    })),
  );
}

async function readCourse(files: FileSources, path: string): Promise<ImportItem> {
  // A mentor makes no subcategories, so no icon is looked up.
  const reader = new LibraryReader(files, () => true);
  const course = await reader.course(path);
  const content = course ? courseContent(course) : null;
  const folder = folderOf(path);
  return {
    path,
    kind: "course",
    title: content?.title ?? "",
    shelf: shelfOf(fileNameIn(folder) === "courses" ? folderOf(folder) : folder),
    content: reader.issues.length === 0 ? content : null,
    pictures: picturesOf(files, path, content),
    issues: await withLines(
      files,
      reader.issues.map((issue) => ({ ...issue, message: ["ofLibrary", issue.message] })),
    ),
    changes: [],
  };
}

/** An article in the library's own format, exactly as the export writes it; null for others. */
async function readExported(
  reader: LibraryReader,
  path: string,
  source: FileSource | undefined,
): Promise<ArticleFile | null> {
  const { length: issuesBefore } = reader.issues;
  const article = path.endsWith(".md") ? await reader.article(path) : undefined;
  if (article === undefined || reader.issues.length > issuesBefore) return null;
  const text = new TextDecoder().decode(await source?.arrayBuffer());
  return articleTexts("", article).values().next().value === text ? article : null;
}

async function readArticle(
  files: FileSources,
  path: string,
  reader: LibraryReader,
  notes: NoteFiles,
  titles: (path: string) => string,
): Promise<ImportItem> {
  const item = { path, kind: "article", shelf: shelfOf(folderOf(path)) } as const;
  const exported = await readExported(reader, path, files.get(path));
  if (exported !== null) {
    const content = articleContent(exported);
    const pictures = picturesOf(files, folderOf(path), content);
    return { ...item, title: content.title, content, pictures, issues: [], changes: [] };
  }
  const read = await readNote(path, notes, titles);
  return {
    ...item,
    title: read.content?.title ?? titles(path),
    content: read.content,
    pictures: read.pictures,
    issues: await withLines(
      files,
      read.issues.map((issue) => ({ file: path, ...issue })),
    ),
    changes: read.changes,
  };
}

/** Gives every note an address of its own within its category. */
function withOwnAddress(item: ImportItem, taken: Set<string>): ImportItem {
  const place = item.shelf?.category ?? "";
  const { content } = item;
  if (content === null || content.slug === "") return item;
  let { slug } = content;
  for (let count = 2; taken.has(`${place} ${slug}`); count++) slug = `${content.slug}-${count}`;
  taken.add(`${place} ${slug}`);
  return { ...item, content: { ...content, slug } };
}

/**
 * Finds the articles and courses among files, wherever their folders begin. Courses are in the library's own format: a course is a
 * folder with `_course.md`, or any folder below one called `courses`. Articles may be notes of any program.
 */
export async function readImport(files: FileSources): Promise<ReadImport> {
  const courses = new Set<string>();
  for (const path of files.keys()) {
    const folder = folderOf(path);
    const isCourse =
      fileNameIn(path) === "_course.md" || fileNameIn(folderOf(folder)) === "courses";
    if (isCourse && folder !== "") courses.add(folder);
  }
  const paths: string[] = [];
  const leftOut: string[] = [];
  for (const path of [...files.keys()].toSorted()) {
    if (courses.has(folderOf(path)) || fileNameIn(path) === "_subcategory.md") continue;
    (isMarkdown(path) ? paths : leftOut).push(path);
  }
  const notes = new NoteFiles(files);
  const titles = new Map<string, string>();
  for (const path of paths) {
    const source = files.get(path);
    if (source !== undefined) titles.set(path, await noteTitle(path, source));
  }
  const titleOf = (path: string) => titles.get(path) ?? fileNameIn(path);
  // One for all: making it looks at every file.
  const reader = new LibraryReader(files, () => true);
  const items: ImportItem[] = [];
  const taken = new Set<string>();
  for (const path of paths) {
    const item = await readArticle(files, path, reader, notes, titleOf);
    items.push(withOwnAddress(item, taken));
  }
  for (const folder of [...courses].toSorted()) items.push(await readCourse(files, folder));
  const used = new Set<FileSource | undefined>(
    items.flatMap(({ pictures }) => [...pictures.values()]),
  );
  return { items, leftOut: leftOut.filter((path) => !used.has(files.get(path))) };
}
