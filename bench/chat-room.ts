import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "@playwright/test";
import {
  runAsOwner,
  seedSession,
  createAccount,
  type Account,
} from "../tests/e2e/support/accounts.ts";
import { createRoom } from "../tests/e2e/support/chat.ts";
import { runningProductVariable } from "../tests/e2e/support/running-product.ts";
import { startTestProduct } from "../tests/support/backend-setup.ts";
import type { Finding } from "./rest-read.ts";

const smallRoomMessages = 50;
const largeRoomMessages = 50_000;
const roundCount = 9;
const scrollPx = 24_000;
const scrollPxPerSecond = 4000;
/** How much longer the large room may take to open than the small one. */
const maxRatio = 1.3;
const minFps = 58;
const maxRows = 150;
const maxTaskMs = 50;

interface Room {
  id: string;
  name: string;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Messages of several authors and lengths, half a minute apart. */
async function fill(room: Room, authors: Account[], count: number): Promise<void> {
  await runAsOwner("alter table public.chat_messages disable trigger user", []);
  await runAsOwner(
    `insert into public.chat_messages (user_id, chat_room_id, content, created_at, changed_at)
     select ($2::uuid[])[1 + (g / 3) % cardinality($2::uuid[])], $1,
       'Message ' || g || repeat(' and some more words', g % 13), t.written, t.written
     from generate_series(1, $3::integer) g,
       lateral (select now() - make_interval(secs => 30.0 * ($3 - g + 1)) as written) t`,
    [room.id, authors.map(({ id }) => id), count],
  );
  await runAsOwner("alter table public.chat_messages enable trigger user", []);
  await runAsOwner("analyze public.chat_messages", []);
}

/** Milliseconds from the press on a room's entry until its newest message has been painted. */
async function open(page: Page, room: Room): Promise<number> {
  // The room that was left has links to the others too, until the list has taken its place.
  await page.getByRole("heading", { level: 1, name: "Chat rooms" }).waitFor();
  const entry = page.getByRole("link", { name: new RegExp(`^${room.name}`) });
  const took = await entry.evaluate(
    (link: HTMLElement) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const look = () => {
          if (document.querySelector("article[data-message]") === null) requestAnimationFrame(look);
          else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
        };
        link.click();
        look();
      }),
  );
  await page.getByRole("link", { name: "All chat rooms" }).click();
  return took;
}

interface Scroll {
  fps: number;
  rows: number;
  longestTaskMs: number;
  /** The same in CPU time of the thread, so that other processes do not count. */
  longestWorkMs: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of wall-clock time, and of the thread's CPU time. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** The longest task of a page's main thread in a trace, in milliseconds of wall-clock and CPU time. */
function longestTask(events: TraceEvent[]): { longestTaskMs: number; longestWorkMs: number } {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const tasks = events.filter(
    ({ name, pid, tid }) => name === "RunTask" && threads.has(`${pid}:${tid}`),
  );
  return {
    longestTaskMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000)),
    longestWorkMs: Math.max(0, ...tasks.map(({ dur = 0, tdur = dur }) => tdur / 1000)),
  };
}

/** Scrolls up through the history by real gestures, counting frames and rows. */
async function scroll(browser: Browser, page: Page, room: Room, folder: string): Promise<Scroll> {
  await page.getByRole("link", { name: new RegExp(`^${room.name}`) }).click();
  await page.locator("article[data-message]").first().waitFor();
  await page.evaluate(() => {
    const counter = { frames: 0, rows: 0, running: true, start: performance.now(), took: 0 };
    Object.assign(window, { counter });
    const frame = () => {
      counter.frames += 1;
      counter.rows = Math.max(counter.rows, document.querySelectorAll("article").length);
      counter.took = performance.now() - counter.start;
      if (counter.running) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const path = join(folder, "trace.json");
  await browser.startTracing(page, {
    path,
    categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"],
  });
  const box = await page.getByRole("log").boundingBox();
  if (!box) throw new Error("the list of messages is not on the screen");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Input.synthesizeScrollGesture", {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    yDistance: scrollPx,
    speed: scrollPxPerSecond,
    gestureSourceType: "mouse",
    preventFling: true,
  });
  await browser.stopTracing();
  const { frames, rows, took } = await page.evaluate(() => {
    const { counter } = window as unknown as {
      counter: { frames: number; rows: number; took: number; running: boolean };
    };
    counter.running = false;
    return counter;
  });
  const trace = JSON.parse(readFileSync(path, "utf8")) as { traceEvents: TraceEvent[] };
  return { fps: (frames / took) * 1000, rows, ...longestTask(trace.traceEvents) };
}

/** A room of 50,000 messages against one of 50: opening, and scrolling up through the large one. */
export async function benchChatRoom(): Promise<Finding> {
  const { running, sandbox, stop } = await startTestProduct();
  process.env[runningProductVariable] = JSON.stringify({ host: running, sandbox });
  const folder = await mkdtemp(join(tmpdir(), "fourfold-bench-"));
  const browser = await chromium.launch({
    ...(process.env["CHROME_PATH"] ? { executablePath: process.env["CHROME_PATH"] } : {}),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const [reader, ...authors] = await Promise.all([1, 2, 3].map(() => createAccount("onboarded")));
    if (!reader) throw new Error("no reader was created");
    const [small, large] = [await createRoom(), await createRoom()];
    await fill(small, authors, smallRoomMessages);
    await fill(large, authors, largeRoomMessages);
    const context = await browser.newContext({
      baseURL: running.url,
      viewport: { width: 1440, height: 900 },
    });
    await seedSession(context, reader);
    const page = await context.newPage();
    await page.goto("/chats");
    const times: { small: number[]; large: number[] } = { small: [], large: [] };
    for (let round = 0; round <= roundCount; round += 1) {
      const [a, b] = [await open(page, small), await open(page, large)];
      // The first round also fetches the code of the page.
      if (round === 0) continue;
      times.small.push(a);
      times.large.push(b);
    }
    const ratio = median(times.large) / median(times.small);
    const { fps, rows, longestTaskMs, longestWorkMs } = await scroll(browser, page, large, folder);
    return {
      title: "a room of 50,000 messages",
      figures: [
        `opens in ${median(times.large).toFixed(0)} ms, one of 50 in ${median(times.small).toFixed(0)} ms, ratio ${ratio.toFixed(2)} (limit ${maxRatio})`,
        `scrolls at ${fps.toFixed(1)} frames/s (at least ${minFps})`,
        `${rows} rows in the page (at most ${maxRows})`,
        `longest task ${longestWorkMs.toFixed(0)} ms of work (at most ${maxTaskMs}), ${longestTaskMs.toFixed(0)} ms on the wall`,
      ].join(", "),
      holds: ratio <= maxRatio && fps >= minFps && rows <= maxRows && longestWorkMs <= maxTaskMs,
    };
  } finally {
    await browser.close();
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}
