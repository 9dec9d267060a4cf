import { toString } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { countCharacters, cutToCharacters } from "@/domain/character-count.ts";
import { checkMarkdown } from "@/domain/library-markdown.ts";
import { markdownBoundIssue } from "@/domain/markdown-bounds.ts";
import type { FileSource, FileSources } from "@/domain/library-files/library-reader.ts";
import { firstWords, publishedExcerpt } from "../first-words.ts";
import { slugOf, type DraftContent } from "../draft.ts";
import { folderOf, fileNameIn } from "../import-paths.ts";
import { splitNote, withNotionFields, type NoteField, type NoteParts } from "./note-fields.ts";
import { withoutComments } from "./note-comments.ts";
import { DraftPictures, isOfNotion, noteName, type NoteFiles } from "./note-files.ts";
import { inlineReferences, parseNote, rewriteNote } from "./note-markdown.ts";
import { titleHeading } from "./note-surroundings.ts";
import { readNoteText } from "./note-text.ts";
import { lineAt } from "./text-edits.ts";
import { isSameMessage, type NoteMessage } from "./note-message.ts";

const maxTextBytes = 200 * 1024;
/** Most that a draft takes; what publishing takes is less. */
const longest = {
  title: 200,
  publishedTitle: 90,
  excerpt: 2000,
  tags: 5,
  tag: 30,
};

/** Something about a line of a note. */
export interface NoteRemark {
  readonly line: number;
  readonly message: NoteMessage;
}

/** A note as it becomes a draft. */
export interface ReadNote {
  /** Null while there are issues. */
  readonly content: DraftContent | null;
  readonly pictures: FileSources;
  /** What has to be mended. */
  readonly issues: readonly NoteRemark[];
  /** What was changed, and what the draft has no place for. */
  readonly changes: readonly NoteRemark[];
}

/** The title of a note, and where it comes from. */
function titleOf(
  parts: NoteParts,
  path: string,
): { title: string; from: "field" | "heading" | "file" } {
  const field = parts.fields.get("title")?.text ?? "";
  if (field !== "") return { title: field, from: "field" };
  const tree = parseNote(parts.body);
  const heading =
    titleHeading(tree) ?? tree.children.find((node) => node.type === "heading" && node.depth === 1);
  const words = heading === undefined ? "" : toString(heading).replaceAll(/\s+/g, " ").trim();
  if (words !== "") return { title: words, from: "heading" };
  const name = addressName(path).replaceAll(/[_-]+/g, " ").trim();
  return { title: name.charAt(0).toUpperCase() + name.slice(1), from: "file" };
}

/** The part of a note's path that names it: its folder's for the index of a bundle, without the date that Jekyll puts before. */
function addressName(path: string): string {
  const name = noteName(path);
  const isIndex = /^(?:_?index|readme)$/i.test(name);
  const folder = fileNameIn(folderOf(path)).replace(/[ _-][0-9a-f]{32}$/i, "");
  return (isIndex && folder !== "" ? folder : name).replace(/^\d{4}-\d{2}-\d{2}[-_ ]+(?=\S)/, "");
}

/** The title that a note will have as a draft; its name where it can't be read. */
export async function noteTitle(path: string, source: FileSource): Promise<string> {
  const isShort = source.size <= maxTextBytes;
  const read = isShort ? readNoteText(new Uint8Array(await source.arrayBuffer())) : null;
  const parts = read === null ? null : splitNote(read.text, () => undefined);
  return parts === null ? noteName(path) : titleOf(parts, path).title;
}

/** What YAML calls nothing. */
const isNothing = (text: string) => /^(?:|~|null)$/i.test(text);

/** Tags as the library writes them, each once. */
function tagsOf(value: unknown): string[] {
  const words = (each: unknown): string[] => {
    if (Array.isArray(each)) return each.flatMap(words);
    if (each === null || each === undefined) return [];
    const text = typeof each === "string" ? each : JSON.stringify(each);
    return text.split(text.includes(",") ? "," : /\s(?=#)/);
  };
  const plain = words(value).map((tag) =>
    tag
      .normalize("NFC")
      .toLowerCase()
      .replaceAll(/[#"[\]]+/g, "")
      .replaceAll(/[\s/_]+/g, " ")
      .trim(),
  );
  return [...new Set(plain.filter((tag) => !isNothing(tag)))];
}

/** Tags that stand in the text, as Obsidian has them. */
function tagsInText(body: string): string[] {
  const found: string[] = [];
  if (!body.includes("#")) return found;
  visit(parseNote(body), "text", ({ value }) => {
    for (const [, tag = ""] of value.matchAll(/(?<![\S])#([\p{L}\p{N}_/-]{1,60})/gu)) {
      if (/\p{L}/u.test(tag)) found.push(tag);
    }
  });
  return found;
}

/** Fields that the draft has a place for, by the names that programs give them. */
const fieldNames = {
  excerpt: ["excerpt", "description", "summary", "subtitle"],
  tags: ["tags", "tag", "keywords"],
  cover: ["cover", "image", "featured_image", "banner", "thumbnail"],
};
/** Fields that are decided when a draft is published, or that are its title and address. */
const silentFields = new Set(["title", "slug", "order", "featured"]);

class NoteReader {
  readonly #path: string;
  readonly #files: NoteFiles;
  readonly #pictures = new DraftPictures();
  readonly #issues: NoteRemark[] = [];
  readonly #changes: NoteRemark[] = [];
  #used = new Set<string>();

  constructor(path: string, files: NoteFiles) {
    this.#path = path;
    this.#files = files;
  }

  #refuse(line: number, message: NoteMessage): void {
    const isKnown = this.#issues.some(
      (each) => each.line === line && isSameMessage(each.message, message),
    );
    if (!isKnown) this.#issues.push({ line, message });
  }

  #tell(line: number, message: NoteMessage): void {
    const isKnown = this.#changes.some(
      (each) => each.line === line && isSameMessage(each.message, message),
    );
    if (!isKnown) this.#changes.push({ line, message });
  }

  #take(fields: NoteParts["fields"], names: readonly string[]): NoteField | undefined {
    for (const name of names) {
      const field = fields.get(name);
      if (field === undefined || field.text === "") continue;
      this.#used.add(name);
      return field;
    }
    return undefined;
  }

  #title(parts: NoteParts): string {
    const { title, from } = titleOf(parts, this.#path);
    const line = parts.fields.get("title")?.line ?? parts.bodyLine;
    if (from === "file") this.#tell(1, ["titleOfFile", title]);
    if (from === "heading") this.#tell(line, ["titleOfHeading"]);
    const length = countCharacters(title);
    if (length > longest.title) this.#tell(line, ["cutTitle"]);
    else if (length > longest.publishedTitle) this.#tell(line, ["longTitle", length]);
    return cutToCharacters(title, longest.title);
  }

  #excerpt({ fields, bodyLine }: NoteParts, content: string): string {
    const field = this.#take(fields, fieldNames.excerpt);
    const excerpt = field?.text ?? firstWords(parseNote(content), publishedExcerpt.article);
    const length = countCharacters(excerpt);
    if (field === undefined) {
      this.#tell(bodyLine, excerpt === "" ? ["excerptEmpty"] : ["excerptMade"]);
    } else if (length > publishedExcerpt.article) {
      this.#tell(field.line, ["longExcerpt", length]);
    }
    return cutToCharacters(excerpt, longest.excerpt);
  }

  #tags({ fields, body }: NoteParts): string[] {
    const field = this.#take(fields, fieldNames.tags);
    const own = tagsOf(field?.value instanceof Date ? field.text : field?.value);
    const tags = own.length > 0 ? own : tagsOf(tagsInText(body));
    if (tags.length > longest.tags) {
      const left = cutToCharacters(tags.slice(longest.tags).join(", "), 300);
      this.#tell(field?.line ?? 1, ["tagsDropped", left]);
    }
    const cut = (tag: string) => cutToCharacters(tag, longest.tag).trim();
    return tags.slice(0, longest.tags).map((tag) => {
      if (cut(tag) !== tag) this.#tell(field?.line ?? 1, ["tagCut", cutToCharacters(tag, 300)]);
      return cut(tag);
    });
  }

  #cover({ fields }: NoteParts): string | null {
    const name = fieldNames.cover.find((each) => typeof fields.get(each)?.value === "string");
    const field = name === undefined ? undefined : fields.get(name);
    if (name === undefined || field === undefined || /^(?:true|false|~|null)?$/i.test(field.text)) {
      return null;
    }
    const address = field.text.replace(/^!?\[\[(.*)\]\]$/, "$1");
    const isElsewhere = /^[a-z][a-z\d+.-]+:/i.test(address);
    const found = isElsewhere ? null : this.#files.picture(address, this.#path);
    const source = found === null ? undefined : this.#files.source(found);
    if (found === null || source === undefined) {
      if (name === "cover" && !isElsewhere) {
        this.#refuse(field.line, ["coverMissing", address]);
      }
      return null;
    }
    this.#used.add(name);
    return this.#pictures.add(found, source);
  }

  /** The text of the draft. */
  #content({ body, bodyLine }: NoteParts, title: string, titles: (path: string) => string): string {
    const inlined = inlineReferences(body);
    const lineOf = (offset: number) => bodyLine - 1 + lineAt(body, inlined.placeBefore(offset));
    const edited = rewriteNote(inlined.text, title, {
      path: this.#path,
      files: this.#files,
      pictures: this.#pictures,
      titleOf: titles,
      tell: (offset, message) => this.#tell(lineOf(offset), message),
      refuse: (offset, message) => this.#refuse(lineOf(offset), message),
    });
    const content = edited.text.trim();
    const start = edited.text.indexOf(content);
    const starts = [start];
    for (let at = content.indexOf("\n"); at >= 0; at = content.indexOf("\n", at + 1)) {
      starts.push(start + at + 1);
    }
    const named = new Set(this.#issues.map(({ line }) => line));
    const isOurs = (address: string) => this.#pictures.files.has(address.split("#", 1)[0] ?? "");
    checkMarkdown(
      content,
      1,
      (line, message) => {
        const before = lineOf(edited.placeBefore(starts[line - 1] ?? start));
        // A picture that isn't there is named already, in better words.
        if (!named.has(before) || !/picture/i.test(message)) {
          this.#refuse(before, ["ofLibrary", message]);
        }
      },
      { isPicture: isOurs },
    );
    return content;
  }

  async read(titles: (path: string) => string): Promise<ReadNote> {
    const source = this.#files.source(this.#path);
    if (source === undefined) throw new Error(`There is no file ${this.#path}`);
    const parts = this.#open(source.size, await source.arrayBuffer());
    const content = parts === null ? null : this.#draft(parts, titles);
    return {
      content: this.#issues.length === 0 ? content : null,
      pictures: this.#pictures.files,
      issues: this.#issues,
      changes: this.#changes.toSorted((a, b) => a.line - b.line),
    };
  }

  #open(size: number, bytes: ArrayBuffer): NoteParts | null {
    if (size > maxTextBytes) {
      this.#refuse(1, ["tooLarge", Math.ceil(size / 1024)]);
      return null;
    }
    const text = readNoteText(new Uint8Array(bytes));
    if (text === null) this.#refuse(1, ["notText"]);
    else if (text.brokenLine !== null) this.#refuse(text.brokenLine, ["brokenCharacter"]);
    else if (text.encoding === "Windows-1252") this.#tell(1, ["readAs", text.encoding]);
    if (text === null || text.brokenLine !== null) return null;
    const parts = splitNote(text.text, (line, message) => this.#refuse(line, message));
    const bound = parts === null ? null : markdownBoundIssue(parts.body);
    if (parts !== null && bound !== null) {
      this.#refuse(parts.bodyLine + bound.line - 1, ["ofLibrary", bound.message]);
      return null;
    }
    if (parts === null) return null;
    const body = withoutComments(parts.body, (offset, message) =>
      this.#tell(parts.bodyLine - 1 + lineAt(parts.body, offset), message),
    );
    const shown = { ...parts, body };
    return isOfNotion(this.#path) ? withNotionFields(shown) : shown;
  }

  #draft(parts: NoteParts, titles: (path: string) => string): DraftContent {
    const title = this.#title(parts);
    const content = this.#content(parts, title, titles);
    if (content === "") this.#refuse(parts.bodyLine, ["empty"]);
    else if (new TextEncoder().encode(content).length > maxTextBytes) {
      this.#refuse(parts.bodyLine, ["tooLong"]);
    }
    const slug = slugOf(parts.fields.get("slug")?.text || addressName(this.#path)) || slugOf(title);
    if (slug === "") this.#tell(1, ["noAddress"]);
    const draft: DraftContent = {
      title,
      subcategoryId: null,
      slug,
      excerpt: this.#excerpt(parts, content),
      tags: this.#tags(parts),
      content,
      difficulty: "beginner",
      price: 0,
      modules: [],
      cover: this.#cover(parts),
    };
    for (const [name, { text, line }] of parts.fields) {
      if (silentFields.has(name) || this.#used.has(name) || text === "") continue;
      this.#tell(line, ["fieldKept", name, cutToCharacters(text, 500)]);
    }
    return draft;
  }
}

/**
 * Reads a note of any program as a draft of an article: what the library's own format asks for is made where it is missing,
 * links and pictures are found among the files, and everything that was changed is told with its line.
 * @param titles the title of the draft that another note becomes.
 */
export async function readNote(
  path: string,
  files: NoteFiles,
  titles: (path: string) => string,
): Promise<ReadNote> {
  return await new NoteReader(path, files).read(titles);
}
