/* oxlint-disable unicorn/require-post-message-target-origin -- Threads have no origin. */
// Renders sale pages in a thread of its own, so that a long text never holds up the server.
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

// Of this thread alone, on Linux: what members wait for comes first.
if (process.platform === "linux") setPriority(10);

const { bundle, site } = z
  .object({ bundle: z.string(), site: z.unknown() })
  .parse(workerData as unknown);

const { renderSale } = (await import(bundle)) as {
  renderSale: (offer: unknown, page: unknown) => Promise<string>;
};

parentPort?.on("message", (offer: unknown) => {
  renderSale(offer, site).then(
    (html) => parentPort?.postMessage({ html }),
    (error: unknown) => parentPort?.postMessage({ error: String(error) }),
  );
});
