import * as z from "zod/mini";
import { categories, type Category } from "@/domain/categories.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";

/** A subcategory of the library as an administrator sees it. */
export interface ContentSubcategory {
  readonly id: string;
  readonly category: Category;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** `#rrggbb`. */
  readonly color: string;
  readonly icon: string;
  readonly order: number;
  readonly isActive: boolean;
  /** Published ones. */
  readonly articles: number;
  readonly courses: number;
}

/** What an administrator may set of a subcategory. */
export type SubcategoryFields = Pick<
  ContentSubcategory,
  "name" | "description" | "color" | "icon" | "order"
>;

const rows = knownItems(
  z.object({
    id: z.string(),
    main_category: z.enum(categories),
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    color: z.string(),
    icon: z.string(),
    display_order: z.number(),
    is_active: z.boolean(),
    article_count: z.number(),
    course_count: z.number(),
  }),
);

/** Reads all subcategories, in the order of the library. Throws the database's error. */
export async function fetchContentSubcategories(
  client: BackendClient,
): Promise<readonly ContentSubcategory[]> {
  const { data, error } = await client.rpc("admin_subcategories");
  if (error) throw error;
  return rows.parse(data).map((row) => ({
    id: row.id,
    category: row.main_category,
    slug: row.slug,
    name: row.name,
    description: row.description,
    color: row.color,
    icon: row.icon,
    order: row.display_order,
    isActive: row.is_active,
    articles: row.article_count,
    courses: row.course_count,
  }));
}

/** Creates a subcategory. Throws the database's error. */
export async function createSubcategory(
  client: BackendClient,
  category: Category,
  slug: string,
  { order, ...fields }: SubcategoryFields,
): Promise<void> {
  const { error } = await client.rpc("create_subcategory", {
    main_category: category,
    slug,
    ...fields,
    display_order: order,
  });
  if (error) throw error;
}

/** Changes these fields of a subcategory. Throws the database's error. */
export async function editSubcategory(
  client: BackendClient,
  id: string,
  { order, isActive, ...fields }: Partial<SubcategoryFields> & { readonly isActive?: boolean },
): Promise<void> {
  const { error } = await client.rpc("edit_subcategory", {
    subcategory_id: id,
    ...fields,
    ...(order === undefined ? {} : { display_order: order }),
    ...(isActive === undefined ? {} : { is_active: isActive }),
  });
  if (error) throw error;
}
