import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "./spawn-product.ts";

interface Manifest {
  name: string;
  version: string;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** Leaves out optional peers: npm did not install them, so they cannot be served. */
function withoutOptionalPeers(manifest: Manifest): Manifest {
  const { peerDependenciesMeta: meta = {}, peerDependencies = {}, ...rest } = manifest;
  const wanted = Object.entries(peerDependencies).filter(([name]) => meta[name]?.optional !== true);
  return { ...rest, peerDependencies: Object.fromEntries(wanted) };
}

/** An npm registry on 127.0.0.1 that serves the installed packages only. */
export interface NpmRegistry {
  url: string;
  stop: () => Promise<void>;
}

function tarballOf(folder: string): Buffer {
  const work = mkdtempSync(join(tmpdir(), "npm-registry-"));
  try {
    // A tarball holds everything below the folder `package`; npm's own nesting of packages stays outside.
    symlinkSync(folder, join(work, "package"));
    return execFileSync("tar", ["-chzf", "-", "--exclude", "node_modules", "-C", work, "package"], {
      maxBuffer: 256 * 1024 * 1024,
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Folders of every installed copy of each package by its name, the one at the top first. */
function installedFolders(): Map<string, string[]> {
  const text = readFileSync(join(projectRoot, "node_modules", ".package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as { packages: Record<string, { link?: boolean }> };
  const folders = new Map<string, string[]>();
  const paths = Object.keys(packages).filter((path) => packages[path]?.link !== true);
  for (const path of paths.toSorted((one, other) => one.length - other.length)) {
    const name = path.split("node_modules/").at(-1) ?? "";
    const folder = join(projectRoot, path);
    if (!existsSync(join(folder, "package.json"))) continue;
    folders.set(name, [...(folders.get(name) ?? []), folder]);
  }
  return folders;
}

/** Serves the packages of node_modules as a registry does, so that npm and Deno can install them without a network. */
export async function startNpmRegistry(): Promise<NpmRegistry> {
  const installed = installedFolders();
  const tarballs = new Map<string, Buffer>();
  let url = "";
  const versionOf = (manifest: Manifest, folder: string) => {
    const key = `${manifest.name}/${manifest.version}`;
    const tarball = tarballs.get(key) ?? tarballOf(folder);
    tarballs.set(key, tarball);
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    return {
      ...withoutOptionalPeers(manifest),
      dist: { tarball: `${url}/-/${key}.tgz`, integrity },
    };
  };
  const packument = (name: string, folders: readonly string[]) => {
    const versions = folders.map((folder) => {
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
      return [manifest.version, versionOf(manifest, folder)] as const;
    });
    return {
      name,
      "dist-tags": { latest: versions[0]?.[0] },
      versions: Object.fromEntries(versions),
    };
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "/").split("?")[0] ?? "").slice(1);
    const tarball = tarballs.get(/^-\/(.+)\.tgz$/.exec(path)?.[1] ?? "");
    if (tarball) {
      response.end(tarball);
      return;
    }
    const folders = installed.get(path);
    if (folders === undefined) {
      response.writeHead(404).end("{}");
      return;
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(packument(path, folders)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    url,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
