import type { IncomingMessage } from "node:http";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { createServer } from "vite";
import { defaultHttpLimits } from "../packages/host/src/http/http-limits.ts";
import { closeServer, listen } from "../packages/host/src/http/listen.ts";
import { createHttpServer } from "../packages/host/src/http/server.ts";
import {
  runMain,
  serveUntilStopped,
  reportDataFolder,
} from "../packages/host/src/serving-process.ts";
import { readEnvironment } from "./environment.ts";
import { startProduct } from "./product.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SERVED_BY_HOST = ["/auth/v1", "/rest/v1", "/storage/v1", "/functions/v1", "/realtime/v1"];
const ALSO_BY_HOST = ["/config.json", "/sandbox", "/dev/inbox", "/healthz", "/readyz"];
const PROXIED = [...SERVED_BY_HOST, ...ALSO_BY_HOST];

/** True for the sockets Vite itself takes over: those of hot reload, and those it passes on. */
function isForVite(request: IncomingMessage): boolean {
  const protocol = request.headers["sec-websocket-protocol"] ?? "";
  return protocol.startsWith("vite-") || PROXIED.some((path) => request.url?.startsWith(path));
}

/** `npm run dev`: Vite in front with hot reload, the product behind it on a port of its own. */
async function main(): Promise<void> {
  const env = await readEnvironment(ROOT, process.env);
  reportDataFolder(env);
  const log = pino({ level: env["LOG_LEVEL"] ?? "info" });
  // A server of our own: Vite's would end the whole process at a signal, before the database is stopped.
  const server = createHttpServer(
    {
      request: async (request, response) => {
        const next = () => response.writeHead(404).end();
        await Promise.resolve(vite.middlewares(request, response, next));
      },
      upgrade: isForVite,
    },
    {
      log,
      rules: { isExempt: () => true, networkOf: () => "", isStreamed: () => true },
      limits: defaultHttpLimits,
    },
  );
  const port = Number(env["PORT"] ?? 3000);
  const url = `http://127.0.0.1:${port}`;
  const product = await startProduct({
    env: { ...env, HOST: "127.0.0.1", PORT: "0", PUBLIC_URL: url },
    log,
  });
  const proxied = PROXIED.map((path) => [path, { target: product.url, ws: true }]);
  const vite = await createServer({
    configFile: `${ROOT}vite.config.ts`,
    server: {
      middlewareMode: { server },
      hmr: { server },
      proxy: Object.fromEntries(proxied),
    },
  });
  const stop = async () => {
    await Promise.all([vite.close(), closeServer(server)]);
    await product.stop();
  };
  try {
    await listen(server, port, "127.0.0.1");
  } catch (error) {
    await stop();
    throw error;
  }
  serveUntilStopped(log, stop);
  process.stdout.write(`\nFourfold in development on ${url}\n\n`);
}

await runMain(main);
