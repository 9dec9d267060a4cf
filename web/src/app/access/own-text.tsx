import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { matchPath } from "react-router";
import { categories } from "@/domain/categories.ts";
import { libraryPath, shelves, type Shelf } from "@/domain/library-paths.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isUuid } from "@/lib/uuid.ts";
import { LoadingShell } from "../loading-page.tsx";

interface TextAddress {
  readonly shelf: Shelf;
  readonly id: string;
}

/** The article or course an address of the library is about; null for its lists and all other addresses. */
export function textAt(pathname: string): TextAddress | null {
  for (const category of categories) {
    for (const shelf of shelves) {
      const found = matchPath(`${libraryPath(category, shelf)}/:subcategory/:itemId`, pathname);
      const id = found?.params.itemId;
      if (id !== undefined) return isUuid(id) ? { shelf, id } : null;
    }
  }
  return null;
}

/**
 * A text of a section that the member's level does not open. Its author reads it all the same, and answers what is
 * asked under it; the database decides, and shows anybody else nothing.
 */
export function OwnText({
  text: { shelf, id },
  otherwise,
  children,
}: {
  readonly text: TextAddress;
  /** For everyone else. */
  readonly otherwise: ReactNode;
  readonly children: ReactNode;
}) {
  const { client } = useBackend();
  const userId = useUserId();
  const { data, isError } = useQuery({
    queryKey: ["own-text", userId, shelf, id],
    queryFn: async () => {
      const { data: found, error } = await client
        .from(shelf)
        .select("id")
        .eq("id", id)
        .maybeSingle();
      if (error) throw error;
      return found !== null;
    },
    retry: 2,
  });
  if (data === true) return children;
  return data === false || isError ? otherwise : <LoadingShell />;
}
