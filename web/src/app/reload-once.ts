/** When this tab was last reloaded for code that was gone, epoch milliseconds. */
const storageKey = "reloaded at";
/** A second failure within this time is no release but a fault, which reloading would repeat for ever. */
const pauseMs = 60_000;

/** True when the tab was not reloaded a moment ago; remembers that it is now. False where nothing can be remembered. */
export function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (Date.now() - last < pauseMs) return false;
    sessionStorage.setItem(storageKey, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
