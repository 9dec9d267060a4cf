import type { IncomingMessage } from "node:http";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { createServer } from "vite";
import { reportDataFolder, runMain, serveUntilStopped } from "basehost";
import { closeServer, createHttpServer, defaultHttpLimits, listen } from "basehost/http-server";
import { readEnvironment } from "./environment.ts";
import { startProduct } from "./product.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const apiPaths = ["/auth/v1", "/rest/v1", "/storage/v1", "/functions/v1", "/realtime/v1"];
const otherHostPaths = ["/config.json", "/sandbox", "/dev/inbox", "/healthz", "/readyz"];
const proxiedPaths = [...apiPaths, ...otherHostPaths];

/** True for the WebSockets that Vite handles: those of hot reload, and those it proxies. */
function isForVite(request: IncomingMessage): boolean {
  const protocol = request.headers["sec-websocket-protocol"] ?? "";
  return protocol.startsWith("vite-") || proxiedPaths.some((path) => request.url?.startsWith(path));
}

/** `npm run dev`: Vite with hot reload in front, the product behind it on its own port. */
async function main(): Promise<void> {
  const env = await readEnvironment(root, process.env);
  reportDataFolder(env);
  const log = pino({ level: env["LOG_LEVEL"] ?? "info" });
  // Our own HTTP server: Vite's ends the process at a signal, before the database is stopped.
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
  const proxied = proxiedPaths.map((path) => [path, { target: product.url, ws: true }]);
  const vite = await createServer({
    configFile: `${root}vite.config.ts`,
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
  serveUntilStopped(log, { stop, lost: product.host.databaseLost });
  process.stdout.write(`\nFourfold in development on ${url}\n\n`);
}

await runMain(main);
