import * as z from "zod/mini";
import { colourShape, accessShape } from "./shelf-home.ts";

const pageShape = z.extend(accessShape, {
  subcategory: z.nullable(
    z.object({
      slug: z.string(),
      name: z.string(),
      description: z.string(),
      color: colourShape,
      icon: z.nullable(z.string()),
    }),
  ),
  items: z.array(z.unknown()),
});

/** A subcategory as its page and the readers below it show it. */
export interface Subcategory {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** `#rrggbb`, or null. */
  readonly color: string | null;
  readonly icon: string | null;
}

/** A subcategory's page with its cards in their order. */
export interface ShelfPage<Item> {
  readonly isOpen: boolean;
  /** Null when there is none under this address. */
  readonly subcategory: Subcategory | null;
  readonly items: readonly Item[];
}

/** Reads the answer for a subcategory's page. Throws when it has another shape. */
export function toShelfPage<Item>(
  answer: unknown,
  toItem: (value: unknown) => Item,
): ShelfPage<Item> {
  const page = pageShape.parse(answer);
  return {
    isOpen: page.is_open,
    subcategory: page.subcategory,
    items: page.items.map((item) => toItem(item)),
  };
}

/** The items before and after one of them, in the order of the shelf. */
export function neighboursOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  id: string,
): { previous: Item | null; next: Item | null } {
  const index = items.findIndex((item) => item.id === id);
  if (index < 0) return { previous: null, next: null };
  return { previous: items[index - 1] ?? null, next: items[index + 1] ?? null };
}
