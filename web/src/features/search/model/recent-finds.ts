import * as z from "zod/mini";
import { storedDraft } from "@/lib/stored-draft.ts";

const kinds = ["article", "course", "room", "submission", "member", "page"] as const;

/** A page that was opened from the search. */
export interface Find {
  readonly kind: (typeof kinds)[number];
  readonly path: string;
  readonly label: string;
}

const mostFinds = 5;
const stored = storedDraft<readonly Find[]>(
  "search-recent",
  z.array(z.object({ kind: z.enum(kinds), path: z.string(), label: z.string() })),
);

/** What a member opened last from the search in this tab, the latest first. */
export function recentFinds(userId: string): readonly Find[] {
  return stored.read(userId) ?? [];
}

/** Remembers what was opened from the search. */
export function rememberFind(userId: string, find: Find): void {
  const others = recentFinds(userId).filter(({ path }) => path !== find.path);
  stored.keep([find, ...others].slice(0, mostFinds), userId);
}
