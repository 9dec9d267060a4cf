/** When this tab was last reloaded for code that was gone, epoch milliseconds. */
const storageKey = "reloaded at";
/** A second failure within this time is no release but a fault, which reloading would repeat for ever. */
const pauseMs = 60_000;

/**
 * True when the tab was not reloaded a moment ago; false where nothing can be remembered. Changes nothing: React draws a page that
 * failed twice before it shows it.
 */
export function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    sessionStorage.setItem(storageKey, String(last));
    return Date.now() - last >= pauseMs;
  } catch {
    return false;
  }
}

/** Loads the address in full, and remembers when. */
export function reloadPage(): void {
  sessionStorage.setItem(storageKey, String(Date.now()));
  window.location.reload();
}
