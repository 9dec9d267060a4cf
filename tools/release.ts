import { access, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { BootError, runMain } from "basehost";
import { createBackup } from "basehost/backup";
import { startProduct } from "./product.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "tests", "fixtures", "releases");

/** The version that `package.json` names, once CHANGELOG.md has a section for it. */
async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const changelog = await readFile(join(root, "CHANGELOG.md"), "utf8");
  if (!changelog.includes(`\n## ${version} `)) {
    throw new BootError(`CHANGELOG.md has no section "## ${version} – DATE" yet.`);
  }
  return version;
}

/**
 * `npm run release`: keeps a data folder as this version makes it, demo included, for the test that later versions open
 * it. From then on no SQL file in it may change.
 */
async function main(): Promise<void> {
  const version = await readVersion();
  const file = join(folder, `${version}.tar.gz`);
  if (
    await access(file).then(
      () => true,
      () => false,
    )
  ) {
    throw new BootError(`${version} has been released: ${file} exists.`);
  }
  await mkdir(folder, { recursive: true });
  const dataDir = await mkdtemp(join(tmpdir(), "fourfold-release-"));
  try {
    const product = await startProduct({
      env: { PORT: "0", DATA_DIR: dataDir, DEMO: "1" },
      log: pino({ level: "silent" }),
      runSchedules: false,
    });
    try {
      await createBackup({ file, dataDir, url: product.host.context.db.url });
    } finally {
      await product.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  process.stdout.write(`${file}: the data folder that later versions have to open.\n`);
}

await runMain(main);
