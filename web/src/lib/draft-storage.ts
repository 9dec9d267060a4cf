/** The part of `Storage` that drafts need. */
export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Reads a stored draft. Null when there is none or it cannot be read. */
export function readStoredDraft(storage: DraftStorage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? "null") as unknown;
  } catch {
    return null;
  }
}

/** Stores a draft. A full or blocked storage is logged, so that the member can go on writing. */
export function storeDraft(storage: DraftStorage, key: string, draft: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(draft));
  } catch (error) {
    console.error("The draft could not be stored in this browser", error);
  }
}

export function removeStoredDraft(storage: DraftStorage, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    /* A storage that cannot be opened holds no draft. */
  }
}
