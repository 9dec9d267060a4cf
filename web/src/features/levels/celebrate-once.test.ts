import { expect, it, vi } from "vitest";
import { celebrateOnce, type BrowserTabs } from "./model/celebrate-once.ts";

/** A browser with tabs that share locks and channels, as the real ones do. */
function openBrowser() {
  const held = new Set<string>();
  const locks = {
    request: (name: string, _options: LockOptions, take: (lock: unknown) => unknown) =>
      Promise.resolve().then(() => {
        if (held.has(name)) return take(null);
        held.add(name);
        return take({ name });
      }),
  } as unknown as LockManager;
  const channels: EventTarget[] = [];
  return (visibilityState: DocumentVisibilityState, hasLocks = true) => {
    const document = Object.assign(new EventTarget(), { visibilityState });
    const celebrate = vi.fn();
    const tabs: BrowserTabs = {
      document,
      locks: hasLocks ? locks : undefined,
      makeChannel: () => {
        const own = new EventTarget();
        channels.push(own);
        const postMessage = (data: unknown) => {
          for (const each of channels) {
            if (each !== own) each.dispatchEvent(new MessageEvent("message", { data }));
          }
        };
        const close = () => void channels.splice(channels.indexOf(own), 1);
        return Object.assign(own, { postMessage, close }) as unknown as BroadcastChannel;
      },
    };
    return {
      celebrate,
      reach: () => celebrateOnce("level-2-ada", celebrate, tabs),
      show: () => {
        document.visibilityState = "visible";
        document.dispatchEvent(new Event("visibilitychange"));
      },
    };
  };
}

const allRun = () => new Promise((resolve) => setTimeout(resolve, 0));

it("celebrates in one of two windows that are both seen", async () => {
  const open = openBrowser();
  const [left, right] = [open("visible"), open("visible")];
  left.reach();
  right.reach();
  await allRun();
  expect(left.celebrate.mock.calls.length + right.celebrate.mock.calls.length).toBe(1);
});

it("celebrates in the tab that is seen, not in the one that heard first", async () => {
  const open = openBrowser();
  const [behind, seen] = [open("hidden"), open("visible")];
  behind.reach();
  await allRun();
  expect(behind.celebrate).not.toHaveBeenCalled();
  seen.reach();
  await allRun();
  expect(seen.celebrate).toHaveBeenCalledOnce();
  behind.show();
  await allRun();
  expect(behind.celebrate).not.toHaveBeenCalled();
});

it("celebrates when the only tab is looked at, and not after it was left", async () => {
  const open = openBrowser();
  const tab = open("hidden");
  tab.reach();
  tab.show();
  await allRun();
  expect(tab.celebrate).toHaveBeenCalledOnce();
  const left = open("hidden");
  left.reach()();
  left.show();
  await allRun();
  expect(left.celebrate).not.toHaveBeenCalled();
});

it("celebrates in a browser without locks, and when it gives up and begins again", async () => {
  const tab = openBrowser()("visible", false);
  tab.reach();
  await allRun();
  expect(tab.celebrate).toHaveBeenCalledOnce();
  const strict = openBrowser()("visible");
  strict.reach()();
  strict.reach();
  await allRun();
  expect(strict.celebrate).toHaveBeenCalledOnce();
});
