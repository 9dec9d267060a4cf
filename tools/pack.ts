import { execFileSync } from "node:child_process";
import { cp, mkdtemp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
/** Files and folders below `src` that are not published. */
const unpublished = /(\.test\.ts|[/\\]testing)$/;

/** The fields of a package's `package.json` that packing changes or reads. */
interface Manifest {
  name: string;
  bin: Record<string, string>;
  exports: Record<string, string>;
  files: string[];
}

/** `./src/index.ts` as its build: `./dist/index.js`. */
function builtPath(source: string, ending: string): string {
  return source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, ending);
}

/** The manifest of the published package: built files instead of sources, without what only this repository uses. */
function publishedManifest(manifest: Manifest): object {
  const {
    private: _private,
    scripts: _scripts,
    devDependencies: _dev,
    ...kept
  } = manifest as Manifest & Record<string, unknown>;
  const doors = Object.entries(manifest.exports)
    .filter(([, path]) => !path.startsWith("./src/testing/"))
    .map(([door, path]) => [
      door,
      { types: builtPath(path, ".d.ts"), default: builtPath(path, ".js") },
    ]);
  const programs = Object.entries(manifest.bin).map(([name, path]) => [
    name,
    builtPath(path, ".js"),
  ]);
  return { ...kept, bin: Object.fromEntries(programs), exports: Object.fromEntries(doors) };
}

/** Builds a package in a folder of its own and packs it there. Returns the tarball's path. */
async function pack(folder: string, destination: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
  const stage = await mkdtemp(join(tmpdir(), `${manifest.name}-`));
  try {
    const config = join(folder, "tsconfig.build.json");
    const dist = join(stage, "dist");
    execFileSync(process.execPath, [compiler, "-p", config, "--outDir", dist], {
      stdio: "inherit",
    });
    // Scripts, pages and styles for browsers are published as they are.
    await cp(join(folder, "src"), dist, {
      recursive: true,
      filter: (path) => !unpublished.test(path) && !path.endsWith(".ts"),
    });
    for (const name of manifest.files.filter((each) => each !== "dist")) {
      await cp(join(folder, name), join(stage, name), { recursive: true });
    }
    await cp(join(folder, "README.md"), join(stage, "README.md"));
    await cp(join(root, "LICENSE"), join(stage, "LICENSE"));
    const text = `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`;
    await writeFile(join(stage, "package.json"), text);
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const args = ["pack", stage, "--pack-destination", destination, "--json", "--offline"];
    const output = execFileSync(npm, args, {
      encoding: "utf8",
      cwd: stage,
      shell: process.platform === "win32",
    });
    const [packed] = Object.values(JSON.parse(output) as { filename: string }[]);
    if (packed === undefined) throw new Error(`npm did not pack ${manifest.name}`);
    return join(destination, packed.filename);
  } finally {
    await rm(stage, { recursive: true });
  }
}

// `npm run pack -- [FOLDER]`: builds the packages and writes their tarballs to the folder.
const destination = resolve(process.argv[2] ?? ".cache/packages");
await mkdir(destination, { recursive: true });
for (const name of await readdir(join(root, "packages"))) {
  process.stdout.write(`${await pack(join(root, "packages", name), destination)}\n`);
}
