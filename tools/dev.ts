import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { createServer } from "vite";
import { BootError } from "../host/src/config.ts";
import { onStop } from "../host/src/on-stop.ts";
import { readEnvironment } from "./environment.ts";
import { startProduct } from "./product.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SERVED_BY_HOST = ["/auth/v1", "/rest/v1", "/storage/v1", "/functions/v1", "/realtime/v1"];
const ALSO_BY_HOST = ["/config.json", "/sandbox", "/dev/inbox", "/healthz", "/readyz"];

/** `npm run dev`: Vite in front with hot reload, the product behind it on a port of its own. */
async function main(): Promise<void> {
  const env = await readEnvironment(ROOT, process.env);
  const port = Number(env["PORT"] ?? 3000);
  const url = `http://127.0.0.1:${port}`;
  const log = pino({ level: env["LOG_LEVEL"] ?? "info" });
  const product = await startProduct({ env: { ...env, PORT: "0", PUBLIC_URL: url }, log });
  const proxied = [...SERVED_BY_HOST, ...ALSO_BY_HOST].map((path) => [
    path,
    { target: product.url, ws: true },
  ]);
  const vite = await createServer({
    configFile: `${ROOT}vite.config.ts`,
    server: { port, strictPort: true, host: "127.0.0.1", proxy: Object.fromEntries(proxied) },
  });
  await vite.listen();
  onStop(async () => {
    await vite.close();
    await product.stop();
  });
  process.stdout.write(`\nFourfold in development on ${url}\n\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof BootError ? error.message : String(error)}\n`);
  process.exit(1);
});
