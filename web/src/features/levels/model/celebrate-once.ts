/** What tells a browser's tabs apart from one another in `celebrateOnce`. */
export interface BrowserTabs {
  readonly document: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
  /** Missing in old browsers, where every tab celebrates. */
  readonly locks: LockManager | undefined;
  readonly makeChannel: (name: string) => BroadcastChannel;
}

/**
 * Celebrates in one of the member's open tabs: in the first that is seen. A tab in the background waits until it is looked at,
 * and gives up when another one has celebrated.
 * @param name tells the milestone and its member from all others.
 * @returns what gives up, for a tab that leaves.
 */
export function celebrateOnce(name: string, celebrate: () => void, tabs: BrowserTabs): () => void {
  const channel = tabs.makeChannel(name);
  let isOver = false;
  const giveUp = () => {
    isOver = true;
    channel.close();
    tabs.document.removeEventListener("visibilitychange", tryNow);
  };
  const win = () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin and has no such argument
    channel.postMessage("celebrated");
    giveUp();
    celebrate();
  };
  function tryNow(): void {
    if (isOver || tabs.document.visibilityState !== "visible") return;
    if (tabs.locks === undefined) {
      win();
      return;
    }
    // Two windows side by side ask at the same moment. The lock is kept until the tab closes: a milestone comes once.
    void tabs.locks.request(name, { ifAvailable: true }, (lock) => {
      if (isOver) return undefined;
      if (lock === null) {
        giveUp();
        return undefined;
      }
      win();
      return new Promise<void>(() => {});
    });
  }
  channel.addEventListener("message", giveUp);
  tabs.document.addEventListener("visibilitychange", tryNow);
  // Later, because React's strict mode gives up and begins again at once, and would find its own lock taken.
  queueMicrotask(tryNow);
  return giveUp;
}

/** This browser's tabs. */
export const browserTabs = (): BrowserTabs => ({
  document,
  locks: (navigator as Partial<Navigator>).locks,
  makeChannel: (name) => new BroadcastChannel(name),
});
