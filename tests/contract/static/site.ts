import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { pino } from "pino";
import type { HostContext } from "basehost";
import { createStaticApp } from "basehost/testing";

export const scriptAsset = `console.log(${JSON.stringify("words ".repeat(400))})`;
export const htmlPage = { accept: "text/html,application/xhtml+xml" };

/** A small built app behind a real server, with a secret beside its folder. */
export interface Site {
  url: string;
  /** The folder that is served. */
  folder: string;
  stop: () => Promise<void>;
}

export function contextFor(publicUrl: string): HostContext {
  return {
    config: { production: false },
    publicUrl,
    keys: { api: { anonKey: "the-anon-key" } },
    log: pino({ level: "silent" }),
  } as unknown as HostContext;
}

async function build(root: string): Promise<string> {
  const folder = join(root, "dist");
  const files: Record<string, string> = {
    "index.html": "<!doctype html><title>Landing</title>",
    "app.html": "<!doctype html><title>App</title>",
    "join.html": "<!doctype html><title>Join</title>",
    "favicon.svg": "<svg/>",
    ".built": "a stamp",
    "assets/app-1a2b.js": scriptAsset,
    "film.mp4": "0123456789",
  };
  await mkdir(join(folder, "assets"), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
  }
  await writeFile(join(root, "secret.txt"), "outside the folder");
  await symlink(join(root, "secret.txt"), join(folder, "linked.txt"));
  return folder;
}

export async function startSite(): Promise<Site> {
  const root = await mkdtemp(join(tmpdir(), "static-"));
  const folder = await build(root);
  const app = createStaticApp(contextFor("https://site.example"), {
    staticFolder: folder,
    publicConfig: { brand: { name: "Example" } },
    contentSecurityPolicy: {
      "script-src": ["https://pay.example"],
      "frame-src": ["https://pay.example", "https://films.example"],
    },
    paymentFrames: ["https://pay.example"],
  });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    folder,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Sends a path as it is and gives the body as it comes: fetch would tidy the one and unpack the other. */
export async function raw(
  site: Site,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  return await new Promise((resolve, reject) => {
    request(site.url, { path, headers, method }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const body = Buffer.concat(chunks);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
      });
    })
      .on("error", reject)
      .end();
  });
}
