import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderInWorker } from "./render-in-worker.ts";

let folder = "";
let bundle = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-render-"));
  const file = join(folder, "render-sale.mjs");
  await writeFile(
    file,
    `import { getPriority } from "node:os";
    import { threadId } from "node:worker_threads";
    export async function renderSale(offer, site) {
      if (offer === "thread") return String(threadId);
      if (offer === "priority") return String(getPriority());
      if (offer === "patient") await new Promise((resolve) => setTimeout(resolve, 1100));
      if (offer === "endless") for (;;);
      if (offer === "broken") throw new Error("not rendered");
      return site.origin + offer;
    }`,
  );
  bundle = pathToFileURL(file).href;
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("rendering in a worker", () => {
  it("ends a page that never ends, while this thread goes on, and renders the next ones", async () => {
    const render = renderInWorker(
      async () =>
        await Promise.resolve({ bundle, render: "renderSale", site: { origin: "site:" } }),
      500,
    );
    expect(await render("one")).toBe("site:one");
    const state = { isSettled: false };
    let turns = 0;
    const endless = render("endless").finally(() => {
      state.isSettled = true;
    });
    const after = render("two");
    const failure = expect(endless).rejects.toThrow("too long");
    while (!state.isSettled) {
      turns += 1;
      await new Promise(setImmediate);
    }
    await failure;
    expect(turns).toBeGreaterThan(10);
    expect(await after).toBe("site:two");
    await expect(render("broken")).rejects.toThrow("not rendered");
    expect(await render("three")).toBe("site:three");
  });

  it("keeps its thread while there is work, and ends it when there is none", async () => {
    const setup = async () =>
      await Promise.resolve({ bundle, render: "renderSale", site: { origin: "site:" } });
    const busy = renderInWorker(setup);
    expect(await busy("thread")).toBe(await busy("thread"));
    const idle = renderInWorker(setup, 3000, 1);
    const first = await idle("thread");
    await expect.poll(async () => await idle("thread")).not.toBe(first);
  });

  it("counts what a page takes of a processor, not how long it waits for one", async () => {
    const render = renderInWorker(
      async () =>
        await Promise.resolve({ bundle, render: "renderSale", site: { origin: "site:" } }),
      // A page may wait for five times as long, which a busy machine needs.
      1000,
    );
    expect(await render("one")).toBe("site:one");
    expect(await render("patient")).toBe("site:patient");
  });

  it.runIf(process.platform === "linux")("leaves the processor to this thread", async () => {
    const own = getPriority();
    const render = renderInWorker(
      async () => await Promise.resolve({ bundle, render: "renderSale", site: {} }),
    );
    expect(Number(await render("priority"))).toBeGreaterThan(own);
    expect(getPriority()).toBe(own);
  });
});
