import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { chromium, type Browser } from "@playwright/test";
import { build } from "vite";
import { createAccount, seedSession, type Account } from "../tests/e2e/support/accounts.ts";
import { runningProductVariable } from "../tests/e2e/support/running-product.ts";
import { startTestProduct } from "../tests/support/backend-setup.ts";
import { projectRoot } from "../tests/support/spawn-product.ts";
import { median, type Finding } from "./rest-read.ts";

const roundCount = 5;
/** The phone and the line of Lighthouse's mobile runs, as it applies them in the browser. */
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true };
const line = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
};
const slowerProcessor = 4;
/** How many times as late as the empty page's the last large thing may be painted. */
const limits = { "/": 1.3, "/signin": 1.5, "/studentdash": 2 };

/** What one load took, in milliseconds. */
interface Load {
  firstPaint: number;
  largestPaint: number;
  /** The part of each task of the main thread that is beyond 50 ms, together (Total Blocking Time). */
  blocked: number;
}

/** An empty React page, built as the app is and served compressed. */
async function servePeer(): Promise<Server> {
  const entry = "empty-page";
  const { NODE_ENV: environment } = process.env;
  const result = await build({
    configFile: false,
    root: projectRoot,
    logLevel: "error",
    build: { write: false, rolldownOptions: { input: entry } },
    plugins: [
      {
        name: entry,
        resolveId: (id) => (id === entry ? `${projectRoot}/${entry}.js` : undefined),
        load: (id) =>
          id.endsWith(`${entry}.js`)
            ? `import { createElement } from "react";
               import { createRoot } from "react-dom/client";
               createRoot(document.getElementById("root")).render(createElement("h1", null, "Fourfold"));`
            : undefined,
      },
    ],
  });
  // The bundler makes this process one of production, and hosts of later rows would want what production needs.
  if (environment === undefined) delete process.env["NODE_ENV"];
  const [first] = [result].flat();
  const script = first && "output" in first ? first.output[0].code : "";
  const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Empty</title>
    <div id="root"></div><script type="module" src="/app.js"></script></html>`;
  const files = { html: gzipSync(html), js: gzipSync(script) };
  const server = createServer((request, response) => {
    const isScript = request.url === "/app.js";
    response.writeHead(200, {
      "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8",
      "content-encoding": "gzip",
    });
    response.end(isScript ? files.js : files.html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Loads a page for the first time in a browser of its own memory. */
async function load(browser: Browser, address: string, account?: Account): Promise<Load> {
  const context = await browser.newContext({ ...phone, serviceWorkers: "block" });
  try {
    if (account) await seedSession(context, account);
    const page = await context.newPage();
    await page.addInitScript(() => {
      const seen = { largestPaint: 0, tasks: [] as { start: number; ms: number }[] };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntries()) seen.largestPaint = startTime;
      }).observe({ type: "largest-contentful-paint", buffered: true });
      new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries()) {
          seen.tasks.push({ start: startTime, ms: duration });
        }
      }).observe({ type: "longtask", buffered: true });
    });
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", line);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowerProcessor });
    await page.goto(address);
    await page.waitForLoadState("networkidle");
    return await page.evaluate(() => {
      const { seen } = window as unknown as {
        seen: { largestPaint: number; tasks: { start: number; ms: number }[] };
      };
      const [paint] = performance.getEntriesByName("first-contentful-paint");
      const firstPaint = paint?.startTime ?? 0;
      const blocked = seen.tasks
        .filter(({ start }) => start >= firstPaint)
        .reduce((sum, { ms }) => sum + ms - 50, 0);
      return { firstPaint, largestPaint: seen.largestPaint, blocked };
    });
  } finally {
    await context.close();
  }
}

/** The landing page, the sign-in and a member's Home on a slow phone, beside an empty React page. */
export async function benchPageLoad(): Promise<Finding> {
  const { running, sandbox, stop } = await startTestProduct();
  process.env[runningProductVariable] = JSON.stringify({ host: running, sandbox });
  const peer = await servePeer();
  const browser = await chromium.launch({
    ...(process.env["CHROME_PATH"] ? { executablePath: process.env["CHROME_PATH"] } : {}),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const member = await createAccount("onboarded");
    const pages = [
      { name: "empty", url: `http://127.0.0.1:${(peer.address() as AddressInfo).port}/` },
      ...Object.keys(limits).map((path) => ({
        name: path,
        url: running.url + path,
        ...(path === "/studentdash" && { account: member }),
      })),
    ];
    const loads = new Map<string, Load[]>(pages.map(({ name }) => [name, []]));
    // In turn, so that other load affects all alike; the first round fills the server's memory of compressed files.
    for (let round = 0; round <= roundCount; round += 1) {
      for (const { name, url, ...rest } of pages) {
        const took = await load(browser, url, "account" in rest ? rest.account : undefined);
        if (round > 0) loads.get(name)?.push(took);
      }
    }
    const figure = (name: string, of: keyof Load) =>
      median((loads.get(name) ?? []).map((each) => each[of]));
    const ratios = Object.entries(limits).map(([name, limit]) => {
      const ratio = figure(name, "largestPaint") / figure("empty", "largestPaint");
      return { name, limit, ratio };
    });
    const ms = (name: string) =>
      (["firstPaint", "largestPaint", "blocked"] as const)
        .map((of) => figure(name, of).toFixed(0))
        .join(" / ");
    return {
      title: "first load on a slow phone (first paint / largest paint / blocked, ms)",
      figures: [
        `empty React page ${ms("empty")}`,
        ...ratios.map(
          ({ name, limit, ratio }) =>
            `${name} ${ms(name)}, largest paint ${ratio.toFixed(2)} of it (limit ${limit})`,
        ),
      ].join("; "),
      holds: ratios.every(({ ratio, limit }) => ratio <= limit),
    };
  } finally {
    await browser.close();
    peer.close();
    await stop();
  }
}
