/** The part of `Storage` that drafts need. */
export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

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
export const messageDraftPrefix = "message-draft";

/** Forgets every message that is being written in this tab, when their author signs out. */
export function forgetMessageDrafts(): void {
  const prefix = messageDraftPrefix;
  for (const key of untaken.keys()) if (key.startsWith(prefix)) untaken.delete(key);
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    }
  } catch {
    // A storage that cannot be opened holds no draft.
  }
}
