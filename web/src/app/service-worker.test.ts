import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";

const file = join(process.cwd(), "web", "public", "service-worker.js");
const site = "https://members.example.test";

interface FakeEvent {
  readonly data?: { readonly json: () => unknown };
  readonly notification?: { readonly close: () => void; readonly data?: unknown };
}

/** The worker in a scope of its own, with these windows open. */
function start(windows: readonly string[] = []) {
  const listeners = new Map<string, (event: FakeEvent & { waitUntil: unknown }) => void>();
  const showNotification = vi.fn(async () => await Promise.resolve());
  const openWindow = vi.fn(async () => await Promise.resolve(null));
  const focus = vi.fn(async () => await Promise.resolve());
  const scope = {
    location: { origin: site },
    registration: { showNotification },
    clients: {
      matchAll: async () => await Promise.resolve(windows.map((url) => ({ url, focus }))),
      openWindow,
    },
    addEventListener: (name: string, listener: never) => listeners.set(name, listener),
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- the file runs as a browser runs it: as a script, not a module
  new Function("self", readFileSync(file, "utf8"))(scope);
  const dispatch = async (name: string, event: FakeEvent) => {
    const pending: Promise<unknown>[] = [];
    listeners.get(name)?.({ ...event, waitUntil: (work: Promise<unknown>) => pending.push(work) });
    expect(pending).toHaveLength(1);
    await Promise.all(pending);
  };
  const click = async (path: unknown) => {
    const close = vi.fn();
    await dispatch("notificationclick", { notification: { close, data: { path } } });
    expect(close).toHaveBeenCalledOnce();
  };
  return { listeners, dispatch, click, showNotification, openWindow, focus };
}

const message = {
  title: "Fourfold",
  body: "Tom liked your message",
  path: "/chats/general",
  tag: "a",
};

describe("the service worker", () => {
  it("listens to push messages and clicks, and to no request", () => {
    expect([...start().listeners.keys()]).toEqual(["push", "notificationclick"]);
  });

  it("shows what was pushed", async () => {
    const { dispatch, showNotification } = start();
    await dispatch("push", { data: { json: () => message } });
    expect(showNotification).toHaveBeenCalledWith("Fourfold", {
      body: "Tom liked your message",
      tag: "a",
      icon: "/icons/app-192.png",
      badge: "/icons/badge-96.png",
      data: { path: "/chats/general" },
    });
  });

  it.each([
    ["nothing", undefined],
    ["no JSON", { json: () => JSON.parse("{") as unknown }],
    ["null", { json: () => null }],
    ["other types", { json: () => ({ title: 1, body: {}, path: [], tag: "" }) }],
  ])("shows a message that holds %s without details", async (_what, data) => {
    const { dispatch, showNotification } = start();
    await dispatch("push", data === undefined ? {} : { data });
    expect(showNotification).toHaveBeenCalledWith(
      "Fourfold",
      expect.objectContaining({
        body: "You have a new notification",
        data: { path: "/dashboard" },
      }),
    );
  });

  it("opens the page, or brings a window that shows it to the front", async () => {
    const elsewhere = start([`${site}/dashboard`]);
    await elsewhere.click("/chats/general");
    expect(elsewhere.openWindow).toHaveBeenCalledWith(`${site}/chats/general`);
    expect(elsewhere.focus).not.toHaveBeenCalled();
    const there = start([`${site}/chats/general`]);
    await there.click("/chats/general");
    expect(there.focus).toHaveBeenCalledOnce();
    expect(there.openWindow).not.toHaveBeenCalled();
  });

  it.each([
    "https://evil.test/",
    "//evil.test/",
    "javascript:alert(1)",
    "data:text/html,x",
    7,
    undefined,
  ])("opens no other site (%s)", async (path) => {
    const { click, openWindow } = start();
    await click(path);
    expect(openWindow).toHaveBeenCalledWith(`${site}/dashboard`);
  });
});

describe("the manifest", () => {
  it("names icons that are there, and opens the app", () => {
    const folder = join(process.cwd(), "web", "public");
    const manifest = JSON.parse(readFileSync(join(folder, "app.webmanifest"), "utf8")) as {
      start_url: string;
      display: string;
      icons: { src: string; sizes: string; purpose: string }[];
    };
    expect(manifest).toMatchObject({ start_url: "/dashboard", display: "standalone", scope: "/" });
    for (const { src, sizes } of manifest.icons) {
      const png = readFileSync(join(folder, src));
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    }
    expect(manifest.icons.map(({ purpose }) => purpose)).toContain("maskable");
    const page = readFileSync(join(process.cwd(), "web", "app.html"), "utf8");
    expect(page).toContain('<link rel="manifest" href="/app.webmanifest" />');
  });
});
