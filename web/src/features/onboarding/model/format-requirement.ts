import type { Requirement } from "@/domain/level-progress.ts";
import { sections } from "@/domain/library-paths.ts";
import { pluralise } from "@/lib/format-count.ts";

/** `{ kind: "articles", needed: 25, category: "general" }` → `25 Knowledge articles read`. */
export function formatRequirement({ kind, needed, category = "general" }: Requirement): string {
  switch (kind) {
    case "rooms":
      return `${pluralise(needed, "chat room")} opened`;
    case "submissions":
      return `${pluralise(needed, "learning submission")} posted`;
    case "engagements":
      return `${needed} messages, replies and likes in all`;
    case "articles":
      return `${pluralise(needed, `${sections[category].name} article`)} read`;
    case "courses":
      return `${pluralise(needed, `${sections[category].name} course`)} completed`;
  }
}
