import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { releaseFiles, writeRelease } from "../../tools/release-archive.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

let folder = "";
const release = () => join(folder, "release");

/** The packages that the release's lock file names, and no others, as an installation would put them there. */
async function installFrom(lock: { packages: Record<string, { link?: boolean }> }): Promise<void> {
  for (const [path, { link }] of Object.entries(lock.packages)) {
    const isNested = path.indexOf("node_modules/") !== path.lastIndexOf("node_modules/");
    const source = join(projectRoot, path);
    if (!path.includes("node_modules/") || isNested || !existsSync(source)) continue;
    const target = join(release(), path);
    await mkdir(dirname(target), { recursive: true });
    const workspace = path === "node_modules/basehost" ? "host" : "stripe-sandbox";
    await symlink(link === true ? join(release(), "packages", workspace) : source, target);
  }
  await writeFile(join(release(), "node_modules", ".package-lock.json"), JSON.stringify(lock));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "release-"));
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const tracked = execFileSync("git", listed, { cwd: projectRoot, encoding: "utf8" })
    .trim()
    .split("\n")
    .filter((path) => existsSync(join(projectRoot, path)));
  await writeRelease(release(), await releaseFiles(tracked));
  const lock = await readFile(join(release(), "package-lock.json"), "utf8");
  await installFrom(JSON.parse(lock) as { packages: Record<string, { link?: boolean }> });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it("has a lock file that npm takes as it is, so that no start installs anything anew", async () => {
  const lockOf = async (path: string) =>
    Object.keys(
      (JSON.parse(await readFile(path, "utf8")) as { packages: Record<string, unknown> }).packages,
    ).toSorted();
  const lock = join(release(), "package-lock.json");
  const before = await readFile(lock, "utf8");
  const shipped = await lockOf(lock);
  const args = ["install", "--package-lock-only", "--offline", "--no-audit", "--loglevel=error"];
  execFileSync("npm", args, { cwd: release() });
  expect(await lockOf(lock)).toEqual(shipped);
  await writeFile(lock, before);
});

it("starts from a release alone, and builds and installs nothing", async () => {
  const env = { PORT: "0", DATA_DIR: join(folder, "data"), DEMO: "0", LOG_LEVEL: "warn" };
  const product = spawnScript([join(release(), "tools", "start.mjs")], env, release());
  await product.says("Fourfold is ready on ");
  const url = /ready on (\S+)/.exec(product.output())?.[1] ?? "";
  for (const path of ["/", "/signin", "/levels"]) {
    const answer = await fetch(url + path, { headers: { accept: "text/html" } });
    expect(answer.status, path).toBe(200);
    const page = await answer.text();
    const script = /(?:src|href)="(\/assets\/[^"]+)"/.exec(page)?.[1] ?? "";
    expect((await fetch(url + script)).status, `${path} ${script}`).toBe(200);
  }
  const admin = spawnScript(
    [join(release(), "tools", "run.mjs"), "admin", "create", "you@example.org"],
    env,
    release(),
  );
  expect(await admin.ended, admin.output()).toBe(0);
  product.child.kill("SIGTERM");
  expect(await product.ended).toBe(0);
  expect(product.output()).not.toMatch(/Building|Installing|"level":(40|50|60)/);
});

it("says what is missing when its web app is", async () => {
  await rm(join(release(), "web", "dist", ".built"));
  const product = spawnScript([join(release(), "tools", "start.mjs")], { PORT: "0" }, release());
  expect(await product.ended).toBe(1);
  expect(product.output()).toContain("web/dist is missing: unpack the release again.");
});
