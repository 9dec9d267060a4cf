import { useLocation, useParams } from "react-router";
import type { Category } from "@/domain/categories.ts";
import { categoryOf } from "@/domain/library-paths.ts";

/** Where in the library one is, read from the address. Missing parts are empty. */
export function useLibraryAddress(): {
  readonly category: Category;
  readonly slug: string;
  readonly itemId: string;
} {
  const { pathname } = useLocation();
  const { subcategory = "", itemId = "" } = useParams();
  return { category: categoryOf(pathname), slug: subcategory, itemId };
}
