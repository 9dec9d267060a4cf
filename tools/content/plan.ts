import { isDeepStrictEqual } from "node:util";
import type { Library } from "../../web/src/domain/library-files/library.ts";
import { storedCover, storedText } from "./library-pictures.ts";
import {
  libraryTables,
  type LibraryRow,
  type LibraryRows,
  type LibraryTable,
} from "./stored-library.ts";

/** One row that an import changes. */
export interface ImportChange {
  table: LibraryTable;
  key: string;
  kind: "add" | "change" | "show" | "hide";
  /** Columns that differ, for `change`. */
  fields: string[];
  /** The new values of the row; the stored ones for `hide`. */
  columns: Record<string, unknown>;
}

/** A row whose columns differ from its file because they were set in the console. */
export interface KeptRow {
  table: LibraryTable;
  key: string;
  fields: string[];
}

/** What an import changes and what it keeps, and the keys of files that would overwrite a member's own work. */
export interface ImportPlan {
  changes: ImportChange[];
  kept: KeptRow[];
  foreign: string[];
}

/** The rows that a library of files describes. */
function rowsOf(library: Library): LibraryRows {
  const rows: LibraryRows = { subcategories: [], articles: [], courses: [], course_modules: [] };
  const add = (table: LibraryTable, key: string, columns: Record<string, unknown>) =>
    rows[table].push({ key, isShown: true, isForeign: false, kept: [], columns });
  for (const { main_category, slug: shelf, articles, courses, ...columns } of library) {
    const at = `${main_category}/${shelf}`;
    add("subcategories", at, columns);
    for (const { slug, cover, ...article } of articles) {
      const content = storedText(article.content);
      const featured_image_url = storedCover(cover);
      add("articles", `${at}/${slug}`, { ...article, content, featured_image_url });
    }
    for (const { slug, modules, cover, ...course } of courses) {
      const minutes = modules.reduce((sum, module) => sum + module.estimated_duration, 0);
      add("courses", `${at}/${slug}`, {
        ...course,
        estimated_duration: minutes,
        thumbnail_url: storedCover(cover),
      });
      for (const { slug: lesson, ...module } of modules) {
        const content = storedText(module.content);
        add("course_modules", `${at}/${slug}/${lesson}`, { ...module, content });
      }
    }
  }
  return rows;
}

/** The column that shows or hides a row. */
function shownColumn(table: LibraryTable): string {
  return table === "subcategories" ? "is_active" : "is_published";
}

/** What the file says, with the columns that were set in the console as they are stored, and which of those differ. */
function withKept(table: LibraryTable, wanted: LibraryRow, stored?: LibraryRow) {
  if (!stored || stored.kept.length === 0) return { row: wanted, fields: [] };
  const differing = stored.kept.filter(
    (name) =>
      name in wanted.columns && !isDeepStrictEqual(wanted.columns[name], stored.columns[name]),
  );
  const columns = { ...wanted.columns };
  for (const name of differing) columns[name] = stored.columns[name];
  const isShown = stored.kept.includes(shownColumn(table)) ? stored.isShown : wanted.isShown;
  const fields = isShown === wanted.isShown ? differing : [...differing, shownColumn(table)];
  return { row: { ...wanted, columns, isShown }, fields };
}

function compare(
  table: LibraryTable,
  wanted: LibraryRow,
  stored?: LibraryRow,
): ImportChange | undefined {
  const { key, columns, isShown } = wanted;
  if (!stored) return { table, key, kind: "add", fields: [], columns };
  const fields = Object.keys(columns).filter(
    (name) => !isDeepStrictEqual(columns[name], stored.columns[name]),
  );
  if (isShown && !stored.isShown) return { table, key, kind: "show", fields, columns };
  return fields.length === 0 ? undefined : { table, key, kind: "change", fields, columns };
}

/** Compares a library of files with the database. Rows without a file are hidden, never deleted. */
export function planImport(library: Library, stored: LibraryRows): ImportPlan {
  const wanted = rowsOf(library);
  const changes: ImportChange[] = [];
  const kept: KeptRow[] = [];
  const foreign: string[] = [];
  const courses = new Set(wanted.courses.map((course) => course.key));
  for (const table of libraryTables) {
    const before = new Map(stored[table].map((row) => [row.key, row]));
    for (const row of wanted[table]) {
      const known = before.get(row.key);
      before.delete(row.key);
      if (known?.isForeign === true && table !== "subcategories") foreign.push(row.key);
      const { row: target, fields } = withKept(table, row, known);
      if (fields.length > 0) kept.push({ table, key: row.key, fields });
      const change = compare(table, target, known);
      if (change) changes.push(change);
    }
    for (const { key, isShown, isForeign, kept: edits, columns } of before.values()) {
      // The modules of a hidden course stay, so that it is complete when it is shown again.
      const goesWithCourse =
        table === "course_modules" && !courses.has(key.slice(0, key.lastIndexOf("/")));
      if (!isShown || isForeign || goesWithCourse) continue;
      if (edits.includes(shownColumn(table))) {
        kept.push({ table, key, fields: [shownColumn(table)] });
      } else {
        changes.push({ table, key, kind: "hide", fields: [], columns });
      }
    }
  }
  return { changes, kept, foreign };
}

const tableNouns: Record<LibraryTable, string> = {
  subcategories: "subcategory",
  articles: "article",
  courses: "course",
  course_modules: "module",
};

/** One line that describes a change to the operator. */
export function describeChange({ table, key, kind, fields }: ImportChange): string {
  const what = `${tableNouns[table]} ${key}`;
  switch (kind) {
    case "add":
      return `+ ${what}`;
    case "change":
      return `~ ${what} (${fields.join(", ")})`;
    case "show":
      return `+ ${what} (shown again)`;
    case "hide":
      return `- ${what} (hidden; what members did stays)`;
  }
}

/** One line that tells the operator what was kept. */
export function describeKept({ table, key, fields }: KeptRow): string {
  return `= ${tableNouns[table]} ${key} (kept from the console: ${fields.join(", ")})`;
}
