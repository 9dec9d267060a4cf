import type { Category } from "@/domain/categories.ts";
import type { RequirementKind } from "@/domain/level-progress.ts";
import { categories } from "@/domain/categories.ts";

/** Which counter's evidence is looked at. */
export interface ProgressEventFilter {
  readonly kind: RequirementKind;
  /** For articles and courses only. */
  readonly category: Category | null;
}

/** One progress event that counted. */
export interface ProgressEvent {
  readonly id: number;
  /** In one word or two, such as `Message` or `Like`. */
  readonly event: string;
  /** What it was about; null when that is gone or out of reach now. */
  readonly label: string | null;
  /** Where it can be seen. */
  readonly path: string | null;
  /** ISO time. */
  readonly happenedAt: string;
}

export const progressEventPageSize = 30;

const counters: readonly RequirementKind[] = [
  "rooms",
  "submissions",
  "engagements",
  "articles",
  "courses",
];

/** `articles` and `general` → `articles-general`, as it stands in the address. */
export function formatProgressEventFilter({ kind, category }: ProgressEventFilter): string {
  return category === null ? kind : `${kind}-${category}`;
}

/** Reads what {@link formatProgressEventFilter} wrote; null for anything else. */
export function parseProgressEventFilter(key: string | null): ProgressEventFilter | null {
  const [kindPart, categoryPart] = (key ?? "").split("-");
  const kind = counters.find((each) => each === kindPart);
  const category = categories.find((each) => each === categoryPart) ?? null;
  if (kind === undefined) return null;
  const onShelf = kind === "articles" || kind === "courses";
  return onShelf === (category !== null) ? { kind, category } : null;
}
