import { useEffect, useEffectEvent } from "react";

/** How many windows are open at this entry of the history. It is kept beside what the router keeps in the entry's state. */
const mark = "openWindows";

/** No answer to `history.go` within this time means that there was no such entry. */
const longestMoveMs = 1000;

/** The same where the browser says that there is such an entry: on a busy machine the move to it only takes long. */
const longestKnownMoveMs = 10_000;

type EntryState = Record<string, unknown> | null;

/** The state of a page's entry, marked with how many windows are open over the page. */
function marked(state: unknown, open: number): EntryState {
  const { [mark]: _before, ...page } = (state ?? {}) as Record<string, unknown>;
  return open > 0 ? { ...page, [mark]: open } : page;
}

/** What the router did to the history. */
type Change =
  | { readonly kind: "push" | "replace"; readonly state: unknown; readonly url: Url }
  | { readonly kind: "go"; readonly delta: number };

type Url = string | URL | null | undefined;

interface OpenWindows {
  /** Adds a window on top of those that are open. Returns what takes it away again. */
  readonly add: (close: () => void) => () => void;
}

/**
 * Makes Back close the topmost open window (dialog, sheet, menu) instead of leaving the page: each has an entry of its
 * own in the history, with the address and the router's state of the page below it. The entry is added while the press
 * that opened the window still counts, because Chromium's Back button skips entries that a page adds by itself.
 * A window that closes otherwise takes its entry back. The router is not told of these entries: moves between them do not
 * reach it, and a page it opens takes the place of the entry, so that no Back is spent on a window that is gone.
 * Call it before the router is made, as both listen for `popstate`.
 */
export function watchBack(window: Window): OpenWindows {
  const { history, location } = window;
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  const go = history.go.bind(history);

  const windows: (() => void)[] = [];
  /** Changes of the router that wait for a move to end: `history.go` is not immediate. */
  const held: Change[] = [];
  let moving: number | undefined;
  let settling: number | undefined;
  /** The page below the windows: the key it had when the first was opened, and what the router made of it since. */
  let below: { readonly key: unknown; state: unknown; url: Url } | null = null;

  const state = () => history.state as EntryState;
  const depth = () => Number(state()?.[mark] ?? 0);
  const place = () => `${String(state()?.["key"])} ${location.href}`;
  /** The place that the router believes to be in. */
  let known = place();

  /** True when the browser knows an entry of this site so many steps away. Older ones cannot tell. */
  function isKnown(delta: number): boolean {
    // Missing before Firefox 147 and Safari 26.2.
    const { navigation } = window as Partial<Pick<Window, "navigation">>;
    const index = navigation?.currentEntry?.index;
    if (navigation === undefined || index === undefined) return false;
    return navigation.entries()[index + delta] !== undefined;
  }

  function move(delta: number): void {
    // Given up too early, the move would still come, and leave the page that was opened meanwhile.
    moving = window.setTimeout(giveUp, isKnown(delta) ? longestKnownMoveMs : longestMoveMs);
    go(delta);
  }

  /** There is no entry to move to, as in a copied tab: then this one is the page's own. */
  function giveUp(): void {
    if (depth() > windows.length) replace(marked(state(), windows.length), "");
    land();
  }

  function land(): void {
    window.clearTimeout(moving);
    moving = undefined;
    for (const change of held.splice(0)) apply(change);
    settleSoon();
  }

  function apply(change: Change): void {
    if (moving !== undefined) {
      held.push(change);
      return;
    }
    const open = depth();
    if (change.kind === "go") {
      move(change.delta < 0 ? change.delta - open : change.delta);
      return;
    }
    if (change.kind === "push" && open > 1) {
      held.push(change);
      move(1 - open);
      return;
    }
    if (change.kind === "push") {
      (open === 0 ? push : replace)(change.state, "", change.url);
      below = null;
    } else if (open === 0) {
      replace(change.state, "", change.url);
    } else {
      if (below) Object.assign(below, { state: change.state, url: change.url ?? location.href });
      replace(marked(change.state, open), "", change.url);
    }
    known = place();
    settleSoon();
  }

  /** Makes the history hold as many entries as windows are open, once those that open and close together have done so. */
  function settleSoon(): void {
    window.clearTimeout(settling);
    settling = window.setTimeout(settle, 0);
  }

  function settle(): void {
    if (moving !== undefined) return;
    const surplus = depth() - windows.length;
    if (surplus > 0) {
      move(-surplus);
      return;
    }
    for (let open = depth(); open < windows.length; open += 1) {
      if (open === 0) below = { key: state()?.["key"], state: state(), url: location.href };
      push(marked(state(), open + 1), "");
    }
  }

  function onPop(event: PopStateEvent): void {
    const open = depth();
    // The router may have replaced the page's entry while a window was open, which changed the window's only.
    if (below && state()?.["key"] === below.key) {
      replace(marked(below.state, open), "", below.url);
    }
    if (open === 0) below = null;
    if (moving !== undefined) {
      land();
    } else if (open < windows.length) {
      for (const close of windows.slice(open).toReversed()) close();
      settleSoon();
    } else if (open > windows.length) {
      // Forward to an entry whose window was closed.
      move(-1);
    }
    if (place() === known) event.stopImmediatePropagation();
    else known = place();
  }

  history.pushState = (data, _unused, url) => apply({ kind: "push", state: data, url });
  history.replaceState = (data, _unused, url) => apply({ kind: "replace", state: data, url });
  history.go = (delta = 0) => (delta === 0 ? go(0) : apply({ kind: "go", delta }));
  window.addEventListener("popstate", onPop, { capture: true });
  // Loaded anew with a window open: the page comes without it.
  if (depth() > 0) move(-depth());

  return {
    add: (close) => {
      const added = () => close();
      windows.push(added);
      settleSoon();
      return () => {
        windows.splice(windows.indexOf(added), 1);
        settleSoon();
      };
    },
  };
}

let openWindows: OpenWindows | null = null;

/** Makes Back close what is open, for the whole app. Before that, and where it is not called, Back leaves the page. */
export function closeOnBack(window: Window): void {
  openWindows = watchBack(window);
}

/** Lets Back close something that covers the page or a part of it, as long as it is open. */
export function useCloseOnBack(open: boolean, close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => (open ? openWindows?.add(() => closeNow()) : undefined), [open]);
}
