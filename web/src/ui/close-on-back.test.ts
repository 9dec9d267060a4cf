import { createBrowserRouter } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { watchBack } from "./close-on-back.ts";

/** The document that Vitest made for this file. Its class makes others, each with a history of its own. */
declare const jsdom: {
  constructor: new (html: string, options: { url: string }) => { window: Window };
};

const dispose: (() => void)[] = [];
afterEach(() => {
  for (const each of dispose.splice(0)) each();
});

/** A tab with two pages in its history: `/start`, and `/home`, which is shown. */
function openTab(): Window {
  const { window } = new jsdom.constructor("", { url: "https://members.example/start" });
  window.history.replaceState({ idx: 0, key: "start" }, "");
  window.history.pushState({ idx: 1, key: "home" }, "", "/home");
  return window;
}

/** Loads the app in the tab: the watch, then the router. */
function loadApp(window: Window) {
  const { history, location } = window;
  let pops = 0;
  window.addEventListener("popstate", () => (pops += 1), { capture: true });
  const watched = watchBack(window);
  const router = createBrowserRouter([{ path: "*", Component: () => null }], { window });
  dispose.push(() => router.dispose());
  const closed: string[] = [];
  function add(name: string, refuses = false): () => void {
    const release = watched.add(() => {
      closed.push(name);
      if (!refuses) release();
    });
    return release;
  }
  return {
    router,
    closed,
    add,
    /** Opens a window; resolves when it has its entry. Returns what closes it. */
    open: async (name: string, refuses = false) => {
      const before = JSON.stringify(history.state);
      const release = add(name, refuses);
      await vi.waitFor(() => expect(JSON.stringify(history.state)).not.toBe(before));
      return release;
    },
    address: () => location.pathname + location.search,
    shown: () => router.state.location.pathname + router.state.location.search,
    isMarked: () => JSON.stringify(history.state).includes("openWindows"),
    /** Moves through the history as the browser's buttons do; resolves when all that follows from it is done. */
    move: async (delta: -1 | 1) => {
      const before = pops;
      if (delta < 0) history.back();
      else history.forward();
      await vi.waitFor(() => expect(pops).toBeGreaterThan(before));
      await settled();
    },
  };
}

/** Lets everything run that timers start: entries are taken back by chains of a few of them, in this document too. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

describe("Back with a window open", () => {
  it("closes it and stays on the page, and leaves the page after that", async () => {
    const app = loadApp(openTab());
    await app.open("sheet");
    await app.move(-1);
    expect(app.closed).toEqual(["sheet"]);
    expect(app.shown()).toBe("/home");
    await app.move(-1);
    expect(app.shown()).toBe("/start");
    expect(app.closed).toEqual(["sheet"]);
  });

  it("closes a menu in a sheet before the sheet", async () => {
    const app = loadApp(openTab());
    await app.open("sheet");
    await app.open("menu");
    await app.move(-1);
    expect(app.closed).toEqual(["menu"]);
    await app.move(-1);
    expect(app.closed).toEqual(["menu", "sheet"]);
    expect(app.shown()).toBe("/home");
    await app.move(-1);
    expect(app.shown()).toBe("/start");
  });

  it("asks a window that refuses again the next time", async () => {
    const app = loadApp(openTab());
    await app.open("saving", true);
    await app.move(-1);
    await app.move(-1);
    expect(app.closed).toEqual(["saving", "saving"]);
    expect(app.shown()).toBe("/home");
  });

  it("keeps what the page put into its address meanwhile", async () => {
    const app = loadApp(openTab());
    await app.open("filters");
    await app.router.navigate("/home?level=2", { replace: true });
    await app.open("menu");
    await app.move(-1);
    await app.move(-1);
    expect(app.closed).toEqual(["menu", "filters"]);
    expect([app.address(), app.shown()]).toEqual(["/home?level=2", "/home?level=2"]);
    await app.move(-1);
    expect([app.address(), app.shown()]).toEqual(["/start", "/start"]);
    await app.move(1);
    expect([app.address(), app.shown()]).toEqual(["/home?level=2", "/home?level=2"]);
  });
});

describe("a window that closes otherwise", () => {
  it.each([1, 2])("takes its entry back: %i open", async (count) => {
    const app = loadApp(openTab());
    const releases = [await app.open("first")];
    if (count === 2) releases.push(await app.open("second"));
    for (const release of releases) release();
    await settled();
    expect(app.isMarked()).toBe(false);
    await app.move(-1);
    expect(app.shown()).toBe("/start");
    expect(app.closed).toEqual([]);
  });

  it("leaves no trace for Forward", async () => {
    const app = loadApp(openTab());
    await app.open("sheet");
    await app.move(-1);
    await app.move(1);
    expect([app.shown(), app.address(), app.isMarked()]).toEqual(["/home", "/home", false]);
    await app.move(-1);
    expect(app.shown()).toBe("/start");
  });

  it("hands its entry to a window that opens in its place", async () => {
    const app = loadApp(openTab());
    const release = await app.open("menu");
    release();
    app.add("dialog");
    await settled();
    await app.move(-1);
    expect(app.closed).toEqual(["dialog"]);
    expect(app.shown()).toBe("/home");
  });
});

describe("a link in a window", () => {
  it.each([1, 2])("leads on without a Back for the window: %i open", async (count) => {
    const app = loadApp(openTab());
    const releases = [await app.open("sheet")];
    if (count === 2) releases.push(await app.open("menu"));
    await app.router.navigate("/members");
    for (const release of releases) release();
    await settled();
    expect([app.address(), app.shown()]).toEqual(["/members", "/members"]);
    await app.move(-1);
    expect([app.address(), app.shown(), app.isMarked()]).toEqual(["/home", "/home", false]);
    await app.move(-1);
    expect(app.shown()).toBe("/start");
    await app.move(1);
    await app.move(1);
    expect([app.address(), app.shown()]).toEqual(["/members", "/members"]);
    await app.move(-1);
    expect([app.address(), app.shown()]).toEqual(["/home", "/home"]);
  });

  it("leads on when the window closes first, while its entry is being taken back", async () => {
    const app = loadApp(openTab());
    const release = await app.open("search");
    release();
    await new Promise((resolve) => setTimeout(resolve, 0));
    await app.router.navigate("/members");
    await app.router.navigate("/members?page=2", { replace: true });
    await settled();
    expect([app.address(), app.shown()]).toEqual(["/members?page=2", "/members?page=2"]);
    await app.move(-1);
    expect([app.address(), app.shown()]).toEqual(["/home", "/home"]);
  });

  it("lets a window that stays open over the next page be closed by Back", async () => {
    const app = loadApp(openTab());
    await app.open("celebration");
    await app.router.navigate("/members");
    await settled();
    await app.move(-1);
    expect(app.closed).toEqual(["celebration"]);
    expect([app.address(), app.shown()]).toEqual(["/members", "/members"]);
    await app.move(-1);
    expect([app.address(), app.shown()]).toEqual(["/home", "/home"]);
  });
});

it("a page that is loaded anew comes without the window and its entry", async () => {
  const window = openTab();
  window.history.pushState({ idx: 1, key: "home", openWindows: 1 }, "");
  window.history.pushState({ idx: 1, key: "home", openWindows: 2 }, "");
  const app = loadApp(window);
  await settled();
  expect([app.isMarked(), app.shown()]).toEqual([false, "/home"]);
  await app.move(-1);
  expect(app.shown()).toBe("/start");
});

it("a marked page with nothing below it becomes a page of its own", async () => {
  const { window } = new jsdom.constructor("", { url: "https://members.example/home" });
  window.history.replaceState({ idx: 0, key: "home", openWindows: 1 }, "");
  const app = loadApp(window);
  await vi.waitFor(() => expect(app.isMarked()).toBe(false), { timeout: 20_000 });
  await app.router.navigate("/members");
  await settled();
  expect([app.address(), app.shown()]).toEqual(["/members", "/members"]);
  await app.move(-1);
  expect([app.address(), app.shown()]).toEqual(["/home", "/home"]);
});

it("a move that takes long is waited for where the browser knows its entry", async () => {
  const window = openTab();
  const { history } = window;
  const entries = [{}, {}, {}];
  Object.assign(window, { navigation: { currentEntry: { index: 2 }, entries: () => entries } });
  const go = history.go.bind(history);
  let arrive = () => {};
  history.go = (delta) => void (arrive = () => go(delta));
  const app = loadApp(window);
  const release = await app.open("dialog");
  const before = history.length;
  release();
  // Longer than a move without an entry is waited for: what the router opens meanwhile waits, too.
  await new Promise((resolve) => void window.setTimeout(resolve, 1200));
  expect(app.isMarked()).toBe(true);
  await app.router.navigate("/members");
  expect(app.address()).toBe("/home");
  arrive();
  await vi.waitFor(() => expect(app.address()).toBe("/members"), { timeout: 20_000 });
  expect([app.isMarked(), history.length]).toEqual([false, before]);
});

it("a question before the page is left is asked, and answering it leaves", async () => {
  const app = loadApp(openTab());
  const block = () => true;
  app.router.getBlocker("leave", block);
  await app.move(-1);
  expect(app.router.state.blockers.get("leave")?.state).toBe("blocked");
  expect([app.address(), app.shown()]).toEqual(["/home", "/home"]);
  const release = await app.open("question");
  release();
  app.router.state.blockers.get("leave")?.proceed?.();
  await vi.waitFor(() => expect([app.address(), app.shown()]).toEqual(["/start", "/start"]));
});
