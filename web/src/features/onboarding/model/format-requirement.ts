import type { Requirement } from "@/domain/level-progress.ts";
import { sections } from "@/domain/library-paths.ts";

/** `{ kind: "articles", needed: 25, category: "general" }` → `25 Knowledge articles read`. */
export function formatRequirement({ kind, needed, category = "general" }: Requirement): string {
  switch (kind) {
    case "rooms":
      return `${needed} chat rooms opened`;
    case "submissions":
      return `${needed} learning submissions posted`;
    case "engagements":
      return `${needed} messages, replies and likes in all`;
    case "articles":
      return `${needed} ${sections[category].name} articles read`;
    case "courses":
      return `${needed} ${sections[category].name} courses completed`;
  }
}
