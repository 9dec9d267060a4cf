import type { Category } from "@/domain/categories.ts";
import type { Requirement } from "@/domain/level-progress.ts";

const shelves: Readonly<Record<Category, string>> = {
  general: "Knowledge",
  business: "Business",
  wealth: "Wealth",
};

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
      return `${needed} ${shelves[category]} articles read`;
    case "courses":
      return `${needed} ${shelves[category]} courses completed`;
  }
}
