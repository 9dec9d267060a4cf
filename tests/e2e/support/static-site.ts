import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const builtSiteFolder = fileURLToPath(new URL("../../../web/dist", import.meta.url));
const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Serves nothing but the built files: no backend, and so no `/config.json`. */
export async function serveStaticSite(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://bare.invalid");
    const name = pathname === "/" ? "index.html" : extname(pathname) ? pathname : "app.html";
    readFile(join(builtSiteFolder, normalize(name))).then(
      (body) => {
        response
          .writeHead(200, { "content-type": contentTypes[extname(name)] ?? "text/plain" })
          .end(body);
      },
      () => {
        response.writeHead(404).end("Not found");
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
