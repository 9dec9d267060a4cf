import { categories, type Category } from "../categories.ts";
import type {
  ArticleFile,
  CourseFile,
  LibraryIssue,
  Library,
  ReportIssue,
  SubcategoryFile,
} from "./library.ts";
import { picturesFolder } from "./picture-files.ts";
import { readArticle, readCourse, readModule, readSubcategory, type Page } from "./pages.ts";

/** Largest file of a library, in bytes. */
const maxFileBytes = 200 * 1024;
/** What the studio exports besides the library: no part of it. */
export const unfinishedFolder = "_unfinished";
const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const maxSlugLength = 80;

interface Entry {
  name: string;
  isFolder: boolean;
}

/** A file that may become part of a library. `File` of the browser is one. */
export interface FileSource {
  /** Bytes. */
  readonly size: number;
  arrayBuffer: () => Promise<ArrayBuffer>;
}

/** Files by path below the root, with `/` between the names. */
export type FileSources = ReadonlyMap<string, FileSource>;

/** A library and its issues. It may be used only when there are none. */
export interface ReadLibrary {
  library: Library;
  issues: LibraryIssue[];
}

/** Names of a path that begin with a dot are hidden, and what is below them. */
function isHidden(path: string): boolean {
  return path.split("/").some((name) => name.startsWith("."));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Reads files and checks all of them, in a folder of an operator as in the browser of a mentor. */
export class LibraryReader {
  readonly issues: LibraryIssue[] = [];
  readonly #files: FileSources;
  readonly #isIcon: (name: string) => boolean;

  constructor(files: FileSources, isIcon: (name: string) => boolean) {
    this.#files = new Map([...files].filter(([path]) => !isHidden(path)));
    this.#isIcon = isIcon;
  }

  #report(file: string): ReportIssue {
    // Markup comes in pairs, so the same issue may be found twice in a line.
    return (line, message) => {
      const known = this.issues.some(
        (issue) => issue.file === file && issue.line === line && issue.message === message,
      );
      if (!known) this.issues.push({ file, line, message });
    };
  }

  /** Entries of a folder, sorted by name. */
  #entries(folder: string): Entry[] {
    const start = folder === "" ? "" : `${folder}/`;
    const entries = new Map<string, boolean>();
    for (const path of this.#files.keys()) {
      if (!path.startsWith(start)) continue;
      const [name = "", ...below] = path.slice(start.length).split("/");
      entries.set(name, below.length > 0);
    }
    return [...entries]
      .map(([name, isFolder]) => ({ name, isFolder }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #page(file: string): Promise<Page> {
    const report = this.#report(file);
    const folder = file.slice(0, Math.max(0, file.lastIndexOf("/") + 1));
    const hasFile = (path: string) => this.#files.has(`${folder}${path}`);
    const source = this.#files.get(file);
    if (source === undefined) throw new Error(`There is no file ${file}`);
    const { size } = source;
    if (size > maxFileBytes) {
      const kilobytes = Math.ceil(size / 1024);
      report(1, `The file has ${kilobytes} KB; at most ${maxFileBytes / 1024} KB are allowed.`);
      return { text: undefined, report, hasFile };
    }
    try {
      return {
        text: new TextDecoder("utf-8", { fatal: true }).decode(await source.arrayBuffer()),
        report,
        hasFile,
      };
    } catch {
      report(1, "The file is not UTF-8 text.");
      return { text: undefined, report, hasFile };
    }
  }

  /** The name as a slug; reports an issue and returns undefined when it is not one. */
  #slug(file: string, name: string): string | undefined {
    if (slugPattern.test(name) && name.length <= maxSlugLength) return name;
    const rule = `lower-case letters, digits and single hyphens, at most ${maxSlugLength}`;
    this.#report(file)(1, `\`${name}\` cannot be part of an address; use ${rule}.`);
    return undefined;
  }

  async #modules(folder: string): Promise<CourseFile["modules"]> {
    const modules: CourseFile["modules"] = [];
    for (const { name, isFolder } of this.#entries(folder)) {
      const file = `${folder}/${name}`;
      if (name === "_course.md" || (name === picturesFolder && isFolder)) continue;
      const [, number = "", rest = ""] = /^(\d{2})-(.+)\.md$/.exec(name) ?? [];
      if (isFolder || number === "") {
        this.#report(file)(1, "A module is a file called like `01-first-steps.md`.");
        continue;
      }
      const slug = this.#slug(file, rest);
      if (slug === undefined) continue;
      if (modules.some((module) => module.slug === slug)) {
        this.#report(file)(1, `Another module of this course is called \`${slug}\` already.`);
      }
      const expected = modules.length + 1;
      if (Number(number) !== expected) {
        const wanted = String(expected).padStart(2, "0");
        this.#report(file)(
          1,
          `Module ${number} stands where ${wanted} is expected; count from 01, leave none out.`,
        );
      }
      modules.push(readModule(await this.#page(file), slug, Number(number)));
    }
    return modules;
  }

  /** One course from its folder; undefined when the folder is none. */
  async course(folder: string): Promise<CourseFile | undefined> {
    const slug = this.#slug(folder, nameOf(folder));
    if (slug === undefined) return undefined;
    const modules = await this.#modules(folder);
    const sheet = `${folder}/_course.md`;
    if (!this.#files.has(sheet)) {
      this.#report(folder)(1, "The course has no file `_course.md`.");
      return undefined;
    }
    if (modules.length === 0) this.#report(sheet)(1, "The course has no modules.");
    return readCourse(await this.#page(sheet), slug, modules);
  }

  async #courses(folder: string): Promise<CourseFile[]> {
    const courses: CourseFile[] = [];
    for (const { name, isFolder } of this.#entries(folder)) {
      const file = `${folder}/${name}`;
      if (!isFolder) {
        this.#report(file)(1, "A course is a folder with a file `_course.md` and its modules.");
        continue;
      }
      const course = await this.course(file);
      if (course) courses.push(course);
    }
    return courses;
  }

  /** One article from its file; undefined when its name is no address. */
  async article(file: string): Promise<ArticleFile | undefined> {
    const slug = this.#slug(file, nameOf(file).slice(0, -".md".length));
    return slug === undefined ? undefined : readArticle(await this.#page(file), slug);
  }

  async #subcategory(category: Category, slug: string): Promise<SubcategoryFile | undefined> {
    const folder = `${category}/${slug}`;
    const entries = this.#entries(folder);
    const articles: ArticleFile[] = [];
    let courses: CourseFile[] = [];
    for (const { name, isFolder } of entries) {
      const file = `${folder}/${name}`;
      if (name === "_subcategory.md" && !isFolder) continue;
      if (name === picturesFolder && isFolder) continue;
      if (name === "courses" && isFolder) courses = await this.#courses(file);
      else if (isFolder || !name.endsWith(".md")) {
        this.#report(file)(
          1,
          "Only articles (`.md`) and the folders `courses` and `pictures` belong here.",
        );
      } else {
        const article = await this.article(file);
        if (article) articles.push(article);
      }
    }
    if (!entries.some(({ name, isFolder }) => name === "_subcategory.md" && !isFolder)) {
      this.#report(folder)(1, "The subcategory has no file `_subcategory.md`.");
      return undefined;
    }
    const page = await this.#page(`${folder}/_subcategory.md`);
    return {
      main_category: category,
      slug,
      ...readSubcategory(page, this.#isIcon),
      articles,
      courses,
    };
  }

  /** Two of a category must not share a slug: moving one between shelves would be taken for a copy. */
  #checkTwins(shelves: readonly SubcategoryFile[]): void {
    const seen = new Map<string, string>();
    const note = (shelf: string, kind: string, slug: string, file: string) => {
      const earlier = seen.get(`${kind} ${slug}`);
      if (earlier === undefined) seen.set(`${kind} ${slug}`, `${shelf}/${slug}`);
      else
        this.#report(file)(1, `The slug \`${slug}\` is taken by \`${earlier}\` in this category.`);
    };
    for (const { main_category, slug: shelf, articles, courses } of shelves) {
      const folder = `${main_category}/${shelf}`;
      for (const { slug } of articles) note(shelf, "article", slug, `${folder}/${slug}.md`);
      for (const { slug } of courses)
        note(shelf, "course", slug, `${folder}/courses/${slug}/_course.md`);
    }
  }

  /** The whole library. */
  async read(): Promise<Library> {
    const library: Library = [];
    for (const { name, isFolder } of this.#entries("")) {
      if (name === unfinishedFolder && isFolder) continue;
      const category = categories.find((known) => known === name);
      if (category === undefined || !isFolder) {
        const what = isFolder
          ? `\`${name}\` is not a category`
          : `\`${name}\` does not belong here`;
        this.#report(name)(1, `${what}; a library holds the folders ${categories.join(", ")}.`);
        continue;
      }
      const shelves: SubcategoryFile[] = [];
      for (const entry of this.#entries(category)) {
        const file = `${category}/${entry.name}`;
        if (!entry.isFolder) {
          this.#report(file)(1, "Only folders, one for each subcategory, belong here.");
          continue;
        }
        const slug = this.#slug(file, entry.name);
        const shelf = slug === undefined ? undefined : await this.#subcategory(category, slug);
        if (shelf) shelves.push(shelf);
      }
      this.#checkTwins(shelves);
      library.push(...shelves);
    }
    if (library.length === 0 && this.issues.length === 0) {
      this.#report(".")(
        1,
        `There is no library here; it holds the folders ${categories.join(", ")}.`,
      );
    }
    return library;
  }
}
