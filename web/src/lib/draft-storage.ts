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

/** What the tab's storage did not take, by key. */
const untaken = new Map<string, string>();

/**
 * What is being written in this tab: kept over a reload, gone with the tab, and nothing that two tabs could take from one
 * another. Where the storage is blocked or full, it is kept until the page is loaded anew.
 */
export const tabStorage: DraftStorage = {
  getItem: (key) => untaken.get(key) ?? sessionStorage.getItem(key),
  setItem: (key, text) => {
    try {
      sessionStorage.setItem(key, text);
      untaken.delete(key);
    } catch {
      untaken.set(key, text);
    }
  },
  removeItem: (key) => {
    untaken.delete(key);
    sessionStorage.removeItem(key);
  },
};

/** How the keys of messages begin that are being written. */
export const messageDraftPrefix = "message-draft-";

/** Forgets every message that is being written in this tab, when their author signs out. */
export function forgetMessageDrafts(): void {
  const prefix = messageDraftPrefix;
  for (const key of untaken.keys()) if (key.startsWith(prefix)) untaken.delete(key);
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    }
  } catch {
    /* A storage that cannot be opened holds no draft. */
  }
}
