import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";

const kinds = ["article", "course", "room", "submission"] as const;
type Kind = (typeof kinds)[number];

const rows = z.array(
  z.object({
    kind: z.string(),
    id: z.string(),
    title: z.string(),
    excerpt: z.nullable(z.string()),
    category: z.nullable(z.string()),
    path: z.string(),
  }),
);

/** A search result and the address it leads to. */
export interface SearchResult {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  readonly excerpt: string;
  readonly category: string | null;
  readonly path: string;
}

/** The results of one kind. */
export interface SearchResultGroup {
  readonly kind: Kind;
  readonly found: readonly SearchResult[];
}

/** Shorter queries find too much. */
export const minQueryLength = 2;

/** Reads the answer of a search, passing over kinds and addresses this app does not know. */
export function toSearchResults(answer: unknown): SearchResult[] {
  return rows.parse(answer).flatMap((row) => {
    const kind = kinds.find((each) => each === row.kind);
    if (kind === undefined || !/^\/[^/\\]/.test(row.path)) return [];
    return [{ ...row, kind, excerpt: toPlainText(row.excerpt ?? "") }];
  });
}

const lockedRows = knownItems(
  z.object({
    kind: z.enum(["article", "course", "room"]),
    title: z.string(),
    category: z.nullable(z.string()),
    min_level: z.number(),
  }),
);

/** Something whose title was found and that a higher level opens. */
export type LockedResult = z.infer<typeof lockedRows>[number];

/** Reads what is locked, passing over kinds this app does not know; nothing of another answer. */
export function toLockedResults(answer: unknown): LockedResult[] {
  const parsed = lockedRows.safeParse(answer);
  return parsed.success ? [...parsed.data] : [];
}

/** Removes highlighting and Markdown from an excerpt. */
function toPlainText(excerpt: string): string {
  return excerpt
    .replace(/<\/?\w+>/g, "")
    .replace(/[*_`#>]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** By kind, the kind of the best result first; within a kind in the order they came. */
export function groupResults(found: readonly SearchResult[]): SearchResultGroup[] {
  const order = [...new Set(found.map(({ kind }) => kind))];
  return order.map((kind) => ({
    kind,
    found: found.filter((each) => each.kind === kind),
  }));
}
