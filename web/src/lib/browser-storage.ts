/** What of local storage the app uses. No method throws. */
export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem"> & {
  readonly keys: () => readonly string[];
};

/** Why a browser keeps nothing: its storage is full, or the member or a private window blocks it. */
export type StorageProblem = "full" | "blocked";

/** Tells which key another tab has changed; null for all. */
type ListenToOtherTabs = (heard: (key: string | null) => void) => void;

/**
 * Local storage, and this tab's memory for what the browser does not take: a full or blocked storage ends no session and no
 * page. What another tab stored stays readable, also when nothing more can be stored.
 */
export function createBrowserStorage(
  open: () => Storage,
  listen: ListenToOtherTabs = () => {},
): BrowserStorage {
  /** Texts that were not taken, and null for those that could not be removed. */
  const untaken = new Map<string, string | null>();

  // What another tab could store is newer.
  listen((key) => (key === null ? untaken.clear() : untaken.delete(key)));

  function attempt<Answer>(act: (storage: Storage) => Answer): Answer | undefined {
    try {
      return act(open());
    } catch {
      return undefined;
    }
  }

  function take(key: string, text: string): boolean {
    const set = (storage: Storage) => {
      storage.setItem(key, text);
      return true;
    };
    if (attempt(set) === true) return true;
    // What is replaced makes room: a renewed session must not leave its used token to other tabs.
    attempt((storage) => storage.removeItem(key));
    return attempt(set) === true;
  }

  return {
    getItem: (key) =>
      untaken.has(key) ? (untaken.get(key) ?? null) : (attempt((s) => s.getItem(key)) ?? null),
    setItem: (key, text) => {
      if (take(key, text)) untaken.delete(key);
      else untaken.set(key, text);
    },
    removeItem: (key) => {
      attempt((storage) => storage.removeItem(key));
      if ((attempt((s) => s.getItem(key)) ?? null) === null) untaken.delete(key);
      else untaken.set(key, null);
    },
    keys: () => [
      ...new Set([...(attempt((storage) => Object.keys(storage)) ?? []), ...untaken.keys()]),
    ],
  };
}

/** Why this browser stores nothing for the site; null when it does. */
export function findStorageProblem(open: () => Storage): StorageProblem | null {
  const key = "storage check";
  try {
    const storage = open();
    // As long as a session: a full storage may take a few letters more.
    storage.setItem(key, "x".repeat(4096));
    storage.removeItem(key);
    return null;
  } catch (error) {
    return error instanceof DOMException && error.name === "QuotaExceededError"
      ? "full"
      : "blocked";
  }
}

export const openLocalStorage = () => window.localStorage;

/** False where the build renders a page. */
export const isInBrowser = typeof window === "object";

/** The one of this tab. */
export const browserStorage = createBrowserStorage(openLocalStorage, (heard) => {
  if (isInBrowser) window.addEventListener("storage", ({ key }) => heard(key));
});
