import { execFileSync } from "node:child_process";
import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { PostgresBinaries } from "basehost/database";

const debianFolder = "/usr/lib/postgresql";
const oldestVersion = 15;

function binariesIn(folder: string): PostgresBinaries {
  return {
    initdb: join(folder, "initdb"),
    pg_ctl: join(folder, "pg_ctl"),
    postgres: join(folder, "postgres"),
  };
}

function holdsServer(folder: string): boolean {
  try {
    for (const path of Object.values(binariesIn(folder))) accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Oldest first, because the embedded server covers the newest version. */
function debianServers(): string[] {
  try {
    const versions = readdirSync(debianFolder).map(Number);
    return versions
      .filter((version) => version >= oldestVersion)
      .toSorted((a, b) => a - b)
      .map((version) => join(debianFolder, `${version}`, "bin"));
  } catch {
    return [];
  }
}

function onThisMachine(): string | undefined {
  const folders = [
    process.env["POSTGRES_BIN"] ?? "",
    ...debianServers(),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.find((folder) => folder !== "" && holdsServer(folder));
}

/**
 * The PostgreSQL server of the system, version 15 or newer. Installs Debian's where there is none, as the browser
 * tests do with Chromium.
 * @throws {Error} saying what to do when there is none and none can be installed.
 */
export function ensureSystemPostgres(): PostgresBinaries {
  let folder = onThisMachine();
  if (folder === undefined && process.platform === "linux" && process.getuid?.() === 0) {
    const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
    execFileSync("apt-get", ["update", "-qq"], options);
    execFileSync("apt-get", ["install", "-y", "-qq", "postgresql"], options);
    folder = onThisMachine();
  }
  if (folder === undefined) {
    throw new Error(
      "No PostgreSQL 15 or newer was found: install your system's server, or set POSTGRES_BIN to the folder of its programs.",
    );
  }
  return binariesIn(folder);
}
