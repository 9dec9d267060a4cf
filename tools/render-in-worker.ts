import { Worker } from "node:worker_threads";

/** What a worker is started with. */
export interface RenderSetup {
  /** Address of the module that makes pages. */
  readonly bundle: string;
  /** Name of the function it exports for that, which gets what is shown and `site`. */
  readonly render: string;
  readonly site: unknown;
}

/** One page takes this much of a processor at most; the longest honest lesson takes a fraction of it. */
const renderLimitMs = 3000;
/** A page may wait so many times as long as it may take: the thread has a lower priority than the server. */
const patience = 5;
const watchEveryMs = 250;
/** A start reads the bundle, which takes longer than a page. */
const startLimitMs = 15_000;
const maxWaiting = 50;
const workerMemoryMb = 96;
const workerYoungMemoryMb = 8;
/** A thread without work goes, because it keeps the memory of the heaviest page. */
const idleLimitMs = 500;

/** Calls `stop` when the thread has used a processor for so long from now on. */
function watchProcessor(worker: Worker, limitMs: number, stop: () => void): NodeJS.Timeout {
  const used = async () => {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  };
  // Rejects when the thread has ended.
  const before = used().catch(() => Number.NaN);
  return setInterval(() => {
    void Promise.all([before, used()]).then(
      ([start, now]) => {
        if (now - start > limitMs) stop();
      },
      () => undefined,
    );
  }, watchEveryMs);
}

/**
 * Renders one page after another in a worker thread. A page over the time limit or the memory of the thread fails and ends the thread;
 * the next page starts another one.
 * A thread that has had nothing to do for a while ends, too.
 */
export function renderInWorker(
  setup: () => Promise<RenderSetup>,
  limitMs = renderLimitMs,
  idleMs = idleLimitMs,
): (offer: unknown) => Promise<string> {
  let worker: Worker | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  const endIdle = () => {
    const unused = worker;
    worker = undefined;
    void unused?.terminate();
  };

  const start = async (): Promise<Worker> => {
    const started = new Worker(new URL("page-render-worker.ts", import.meta.url), {
      workerData: await setup(),
      resourceLimits: {
        maxOldGenerationSizeMb: workerMemoryMb,
        maxYoungGenerationSizeMb: workerYoungMemoryMb,
      },
    });
    started.unref();
    started.on("error", () => undefined);
    started.once("exit", () => {
      if (worker === started) worker = undefined;
    });
    worker = started;
    return started;
  };

  const renderOne = async (offer: unknown): Promise<string> => {
    const isNew = worker === undefined;
    const current = worker ?? (await start());
    return await new Promise<string>((resolve, reject) => {
      const stop = () => {
        if (worker === current) worker = undefined;
        void current.terminate();
      };
      const startMs = isNew ? startLimitMs : 0;
      const timer = setTimeout(stop, startMs + limitMs * patience);
      const watch = watchProcessor(current, startMs + limitMs, stop);
      const ended = () =>
        finish(() => reject(new Error("The page took too long or too much memory")));
      const answered = (answer: { html?: string; error?: string }) =>
        finish(() => {
          if (answer.html === undefined) reject(new Error(answer.error));
          else resolve(answer.html);
        });
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        clearInterval(watch);
        current.off("exit", ended);
        current.off("message", answered);
        settle();
      };
      current.once("exit", ended);
      current.once("message", answered);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Threads have no origin.
      current.postMessage(offer);
    });
  };

  return async (offer) => {
    if (waiting >= maxWaiting) throw new Error("Too many pages wait to be rendered");
    waiting += 1;
    clearTimeout(idle);
    const result = last.then(async () => await renderOne(offer));
    last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      waiting -= 1;
      if (waiting === 0) idle = setTimeout(endIdle, idleMs).unref();
    }
  };
}
