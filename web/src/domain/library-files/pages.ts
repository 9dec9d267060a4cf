import { Fields } from "./fields.ts";
import { splitFrontMatter, type FrontMatter } from "./front-matter.ts";
import type {
  ArticleFile,
  CourseFile,
  ModuleFile,
  ReportIssue,
  SubcategoryFile,
} from "./library.ts";
import { checkMarkdown } from "../library-markdown.ts";
import { pictureFilePath } from "./picture-files.ts";
import { readingMinutes } from "../reading-minutes.ts";

/** A file of a library. `text` is undefined when the file could not be read. */
export interface Page {
  text: string | undefined;
  report: ReportIssue;
  /** True when there is a file with this path, relative to the folder of the page. */
  hasFile: (path: string) => boolean;
}

const difficulties = ["beginner", "intermediate", "advanced"];
const maxOrder = 9999;
/** Video players that the app may embed, or a file on this site, in at most 500 characters. */
const videoUrlPattern =
  /^(https:\/\/(www\.youtube-nocookie\.com\/embed|player\.vimeo\.com\/video)\/[\w-]+|\/(?!\/)[\w./-]+\.(mp4|webm))$/;

/** Splits a page into front matter and body. An unreadable page counts as empty, and its issues are reported already. */
function open({ text, report }: Page): { page: FrontMatter; fields: Fields; silent: boolean } {
  const page = text === undefined ? undefined : splitFrontMatter(text, report);
  const read = page ?? { fields: new Map(), body: "", bodyLine: 1 };
  const tell: ReportIssue = page ? report : () => undefined;
  return { page: read, fields: new Fields(read, tell), silent: page === undefined };
}

function expectNoBody({ body, bodyLine }: FrontMatter, report: ReportIssue): void {
  const at = body.split("\n").findIndex((line) => line.trim() !== "");
  if (at >= 0) report(bodyLine + at, "Nothing may follow the front matter of this file.");
}

/** The body and headings of a page; reports what is wrong with them. */
function checkedBody(
  page: FrontMatter,
  { report, hasFile }: Page,
): { content: string; headings: string[] } {
  const content = page.body.trim();
  if (content === "") report(page.bodyLine, "There is no text after the front matter.");
  const headings = checkMarkdown(page.body, page.bodyLine, report, {
    isPicture: (address) => hasFile(pictureFilePath(address) ?? ""),
  });
  return { content, headings };
}

function cover(fields: Fields, { hasFile }: Page): string | null {
  const isPicture = (value: string) => pictureFilePath(value) === value && hasFile(value);
  return fields.optional(
    "cover",
    isPicture,
    "a picture beside this file, such as pictures/cover.jpg",
  );
}

export function readSubcategory(
  source: Page,
  isIcon: (name: string) => boolean,
): Omit<SubcategoryFile, "main_category" | "slug" | "articles" | "courses"> {
  const { page, fields, silent } = open(source);
  const isColor = (value: string) => /^#[0-9a-f]{6}$/i.test(value);
  const read = {
    name: fields.text("name", 80),
    description: fields.text("description", 160),
    color: fields.matching("color", isColor, "a colour such as #1d4ed8").toLowerCase(),
    icon: fields.matching("icon", isIcon, "the name of a Lucide icon, such as book-open"),
    open_to_mentors: fields.flag("mentors"),
    display_order: fields.integer("order", 1, maxOrder),
  };
  fields.finish();
  if (!silent) expectNoBody(page, source.report);
  return read;
}

export function readArticle(source: Page, slug: string): ArticleFile {
  const { page, fields, silent } = open(source);
  const read = {
    slug,
    title: fields.text("title", 90),
    excerpt: fields.text("excerpt", 200),
    tags: fields.tags("tags"),
    is_featured: fields.flag("featured"),
    display_order: fields.integer("order", 1, maxOrder),
    cover: cover(fields, source),
  };
  fields.finish();
  const content = silent ? "" : checkedBody(page, source).content;
  return { ...read, content, estimated_read_time: readingMinutes(content) };
}

export function readCourse(source: Page, slug: string, modules: ModuleFile[]): CourseFile {
  const { page, fields, silent } = open(source);
  const isKnown = (value: string) => difficulties.includes(value);
  const read = {
    slug,
    title: fields.text("title", 90),
    description: fields.text("description", 300),
    difficulty_level: fields.matching("difficulty", isKnown, difficulties.join(", or ")),
    price: fields.price("price"),
    is_featured: fields.flag("featured"),
    display_order: fields.integer("order", 1, maxOrder),
    cover: cover(fields, source),
    modules,
  };
  fields.finish();
  if (!silent) expectNoBody(page, source.report);
  return read;
}

export function readModule(source: Page, slug: string, order: number): ModuleFile {
  const { page, fields, silent } = open(source);
  const isVideo = (value: string) => value.length <= 500 && videoUrlPattern.test(value);
  const read = {
    slug,
    module_order: order,
    title: fields.text("title", 90),
    estimated_duration: fields.integer("minutes", 1, 600),
    video_url: fields.optional(
      "video",
      isVideo,
      "a YouTube (no-cookie) or Vimeo player address or a file of this site",
    ),
  };
  fields.finish();
  if (silent) return { ...read, content: "" };
  const { content, headings } = checkedBody(page, source);
  if (content !== "" && !headings.includes("Exercise")) {
    source.report(page.bodyLine, "The lesson has no `## Exercise`.");
  }
  return { ...read, content };
}
