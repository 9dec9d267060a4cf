import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "../../support/spawn-product.ts";

const folder = join(projectRoot, ".cache");
const prefix = "troubles-";

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Removes what runs left that were killed: a folder has the number of its process in its name. */
async function removeLeft(): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const [, pid] = /^troubles-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || !isRunning(Number(pid)))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Makes a folder with the product's `supabase/` and other schedules, inside the repository so that functions find their packages.
 * @param seconds by the name of the function; the others are not run
 */
export async function projectWith(
  seconds: Readonly<Record<string, number>>,
): Promise<{ root: string; remove: () => Promise<void> }> {
  await mkdir(folder, { recursive: true });
  await removeLeft();
  const root = await mkdtemp(join(folder, `${prefix}${process.pid}-`));
  const from = join(projectRoot, "supabase");
  await mkdir(join(root, "supabase"));
  for (const name of await readdir(from)) {
    const to = join(root, "supabase", name);
    if (name === "functions") await cp(join(from, name), to, { recursive: true });
    else await symlink(join(from, name), to);
  }
  const path = join(root, "supabase", "functions", "schedules.json");
  const known = JSON.parse(await readFile(path, "utf8")) as { function: string }[];
  const schedules = known.flatMap(({ function: name }) =>
    seconds[name] === undefined ? [] : [{ function: name, every_seconds: seconds[name] }],
  );
  await writeFile(path, JSON.stringify(schedules));
  return { root, remove: async () => await rm(root, { recursive: true, force: true }) };
}
