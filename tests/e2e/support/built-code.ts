import { readFile } from "node:fs/promises";

/** The address of the code of a module of a feature; files of the build have no names. */
export async function builtCodeOf(module: string): Promise<string> {
  const manifest = JSON.parse(
    await readFile(new URL("../../../web/dist/.vite/manifest.json", import.meta.url), "utf8"),
  ) as Record<string, { file: string }>;
  const file = manifest[`src/features/${module}`]?.file;
  if (file === undefined) throw new Error(`The build has no ${module}`);
  return `**/${file}`;
}
