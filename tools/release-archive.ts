import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BootError, runMain } from "basehost";
import { shippedFiles } from "./release-archive/shipped-files.ts";
import {
  importedPackages,
  shippedLock,
  shippedManifest,
  shippedWorkspace,
  type PackageEntry,
} from "./release-archive/shipped-packages.ts";
import { releasedStamp } from "./runtime.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const builtFolder = "web/dist";

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** Every file of a release by its path; the built web app has to be there. */
export async function releaseFiles(
  tracked: readonly string[],
): Promise<Map<string, string | Buffer>> {
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const manifest = JSON.parse(read("package.json")) as PackageEntry;
  const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, PackageEntry> };
  const paths = shippedFiles(tracked, manifest.scripts ?? {}, read);
  const code = paths.filter((path) => /\.(ts|tsx|mjs|mts)$/.test(path));
  const files = new Map<string, string | Buffer>();
  for (const path of paths) files.set(path, await readFile(join(root, path)));

  const shipped = shippedManifest(manifest, importedPackages(code.map(read)));
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  files.set("package.json", json(shipped));
  files.set("package-lock.json", json({ ...lock, packages: shippedLock(lock.packages, shipped) }));
  for (const path of paths.filter((each) => /^packages\/[^/]+\/package\.json$/.test(each))) {
    files.set(path, json(shippedWorkspace(JSON.parse(read(path)) as PackageEntry)));
  }

  const built = await readdir(join(root, builtFolder), { recursive: true, withFileTypes: true });
  for (const entry of built.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name).slice(root.length);
    files.set(path, await readFile(join(root, path)));
  }
  // By this a start knows that there is nothing to build.
  files.set(`${builtFolder}/.built`, releasedStamp);
  return files;
}

/** Writes the files below a folder, readable by everyone: the account that serves is not the one that unpacks. */
export async function writeRelease(
  folder: string,
  files: ReadonlyMap<string, string | Buffer>,
): Promise<void> {
  for (const [path, content] of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    await writeFile(target, content);
    await chmod(target, 0o644);
  }
}

/** `npm run release:archive -- [FOLDER]`: this version with its built web app, for machines that build nothing. */
async function main(): Promise<void> {
  const [destination = ".", ...rest] = process.argv.slice(2);
  if (rest.length > 0) throw new BootError("Usage: npm run release:archive -- [FOLDER]");
  if (git("status", "--porcelain", "--untracked-files=no") !== "") {
    throw new BootError("There are changes that are not committed; an archive is of a commit.");
  }
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const name = `fourfold-${version}-${git("rev-parse", "--short=8", "HEAD")}`;
  const files = await releaseFiles(git("ls-files").split("\n"));
  const stage = await mkdtemp(join(tmpdir(), "fourfold-release-"));
  const archive = join(resolve(destination), `${name}.tar.gz`);
  try {
    await writeRelease(join(stage, name), files);
    await mkdir(dirname(archive), { recursive: true });
    execFileSync("tar", ["-czf", archive, "-C", stage, name]);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
  const content = await readFile(archive);
  const sum = createHash("sha256").update(content).digest("hex");
  await writeFile(`${archive}.sha256`, `${sum}  ${name}.tar.gz\n`);
  const size = `${(content.byteLength / 1024 ** 2).toFixed(1)} MiB`;
  process.stdout.write(`${archive}: ${files.size} files, ${size}\n${sum}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runMain(main);
