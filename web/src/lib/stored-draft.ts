import type * as z from "zod/mini";
import { tabStorage } from "./draft-storage.ts";

/** One kind of text that is written in this tab, until it is sent. Each belongs to a member, and to a place when there are several. */
export interface StoredDraft<T> {
  /** What was not sent; null when there is none, or when it can't be understood. */
  readonly read: (userId: string, place?: string) => T | null;
  /** Keeps what is being written; null forgets it. */
  readonly keep: (draft: T | null, userId: string, place?: string) => void;
}

/**
 * The drafts of a kind, by the name that their keys begin with.
 * @param schema what a stored draft has to be, as an earlier version of the app may have written it
 */
export function storedDraft<T>(name: string, schema: z.ZodMiniType<T>): StoredDraft<T> {
  const keyOf = (userId: string, place?: string) =>
    [name, userId, ...(place === undefined ? [] : [place])].join("-");
  return {
    read: (userId, place) => {
      try {
        const stored: unknown = JSON.parse(tabStorage.getItem(keyOf(userId, place)) ?? "null");
        const parsed = schema.safeParse(stored);
        return parsed.success ? parsed.data : null;
      } catch {
        return null;
      }
    },
    keep: (draft, userId, place) => {
      try {
        if (draft === null) tabStorage.removeItem(keyOf(userId, place));
        else tabStorage.setItem(keyOf(userId, place), JSON.stringify(draft));
      } catch (error) {
        // A storage that cannot be opened holds no draft; the member goes on writing.
        console.error("The draft could not be stored in this browser", error);
      }
    },
  };
}
