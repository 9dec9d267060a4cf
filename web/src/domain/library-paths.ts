import { categories, type Category } from "./categories.ts";
import type { Level } from "./levels.ts";

/** The two kinds of content of a category: articles under `foundations`, courses under `courses`. */
export const shelves = ["articles", "courses"] as const;
export type Shelf = (typeof shelves)[number];

/** A category as the address and the level system know it. */
export interface Section {
  readonly category: Category;
  /** First part of the address. */
  readonly segment: Exclude<Level["accent"], "community">;
  readonly name: string;
  /** The level that opens it. */
  readonly level: 2 | 3 | 4;
}

/** Category by category, in the order in which levels open them. */
export const sections: Readonly<Record<Category, Section>> = {
  general: { category: "general", segment: "knowledge", name: "Knowledge", level: 2 },
  business: { category: "business", segment: "business", name: "Business", level: 3 },
  wealth: { category: "wealth", segment: "wealth", name: "Wealth", level: 4 },
};

/** How a shelf is called on the screen. */
export const shelfNames: Readonly<Record<Shelf, string>> = {
  articles: "Foundations",
  courses: "Courses",
};

const shelfSegments = { articles: "foundations", courses: "courses" } as const;

/** The category a level opens; undefined for the first level. */
export function categoryOfLevel(level: number): Category | undefined {
  return categories.find((each) => sections[each].level === level);
}

/** The category of an address: knowledge means general, business business, otherwise wealth. */
export function categoryOf(pathname: string): Category {
  const segment = pathname.split("/")[1];
  return categories.find((each) => sections[each].segment === segment) ?? "wealth";
}

/** The address of a shelf, of a subcategory on it, or of one article or course. */
export function libraryPath(
  category: Category,
  shelf: Shelf,
  subcategory?: string,
  itemId?: string,
): string {
  return ["", sections[category].segment, shelfSegments[shelf], subcategory, itemId]
    .filter((part) => part !== undefined)
    .join("/");
}
