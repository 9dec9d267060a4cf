/* oxlint-disable unicorn/require-post-message-target-origin -- Threads have no origin. */
// Renders public pages in a thread of its own, so that a long text never holds up the server.
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

// Of this thread alone, on Linux: what members wait for comes first.
if (process.platform === "linux") setPriority(10);

const { bundle, render, site } = z
  .object({ bundle: z.string(), render: z.string(), site: z.unknown() })
  .parse(workerData as unknown);

const exported = (await import(bundle)) as Readonly<
  Record<string, (shown: unknown, page: unknown) => Promise<string>>
>;

const renderPage = exported[render];
if (renderPage === undefined) throw new Error(`${bundle} exports no ${render}`);

parentPort?.on("message", (shown: unknown) => {
  renderPage(shown, site).then(
    (html) => parentPort?.postMessage({ html }),
    (error: unknown) => parentPort?.postMessage({ error: String(error) }),
  );
});
