import * as z from "zod/mini";
import { categories, type Category } from "@/domain/categories.ts";
import type { Shelf } from "@/domain/library-paths.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { searchText } from "@/lib/search-text.ts";
import { knownItems } from "@/domain/known-items.ts";

/** An article or a course as an administrator sees it. */
export interface ContentItem {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly category: Category;
  readonly subcategory: string;
  readonly subcategoryIsActive: boolean;
  /** Null for the product's own. */
  readonly author: string | null;
  readonly isPublished: boolean;
  readonly isFeatured: boolean;
  /** Members who read the article or completed the course. */
  readonly readers: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** An empty string leaves a filter out. */
export interface ItemFilters {
  readonly search: string;
  readonly category: string;
  readonly subcategory: string;
  readonly status: string;
}

export const itemPageSize = 50;

const rows = knownItems(
  z.object({
    id: z.string(),
    title: z.string(),
    slug: z.string(),
    main_category: z.enum(categories),
    subcategory_name: z.string(),
    subcategory_is_active: z.boolean(),
    author_name: z.nullable(z.string()),
    is_published: z.boolean(),
    is_featured: z.boolean(),
    readers: z.number(),
    created_at: z.string(),
  }),
);

/** Reads one page of articles or courses. Throws the database's error. */
export async function fetchContentItems(
  client: BackendClient,
  shelf: Shelf,
  { search, category, subcategory, status }: ItemFilters,
  skip: number,
): Promise<readonly ContentItem[]> {
  const { data, error } = await client.rpc("admin_library_items", {
    shelf,
    search: searchText(search),
    ...(category === "" ? {} : { category }),
    ...(subcategory === "" ? {} : { subcategory }),
    ...(status === "" ? {} : { status }),
    page_size: itemPageSize,
    skip,
  });
  if (error) throw error;
  return rows.parse(data).map((row) => ({
    id: row.id,
    title: row.title,
    slug: row.slug,
    category: row.main_category,
    subcategory: row.subcategory_name,
    subcategoryIsActive: row.subcategory_is_active,
    author: row.author_name,
    isPublished: row.is_published,
    isFeatured: row.is_featured,
    readers: row.readers,
    createdAt: Date.parse(row.created_at),
  }));
}

/** Publishes, withdraws or features an article or a course. Throws the database's error. */
export async function editContentItem(
  client: BackendClient,
  shelf: Shelf,
  id: string,
  marks: { readonly is_published?: boolean; readonly is_featured?: boolean },
): Promise<void> {
  const { error } = await client.rpc("edit_content_item", { shelf, item_id: id, ...marks });
  if (error) throw error;
}
