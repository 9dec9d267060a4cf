import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { BootError } from "basehost";

const assignmentPattern = /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=/;

/** Lines of a `.env` text that are neither empty, a comment, an assignment nor the inside of a quoted value. */
function brokenLines(text: string): number[] {
  const broken: number[] = [];
  let openQuote: string | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (openQuote !== undefined) {
      if (line.includes(openQuote)) openQuote = undefined;
      continue;
    }
    if (/^\s*(#.*)?$/.test(line)) continue;
    if (!assignmentPattern.test(line)) {
      broken.push(index + 1);
      continue;
    }
    const value = line.slice(line.indexOf("=") + 1).trim();
    const quote = /^["'`]/.exec(value)?.[0];
    if (quote !== undefined && !value.slice(1).includes(quote)) openQuote = quote;
  }
  return broken;
}

/**
 * The `.env` file of `folder`, overridden by the process environment.
 * @throws {BootError} when the file cannot be read or a line of it is not valid.
 */
export async function readEnvironment(
  folder: string,
  processEnv: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, string | undefined>> {
  const path = join(folder, ".env");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw new BootError(`${path} cannot be read: ${error.message}`);
  });
  const broken = brokenLines(text);
  if (broken.length > 0) {
    throw new BootError(
      `${path} is not usable: line ${broken.join(", ")} should read NAME=value or start with #.`,
    );
  }
  return { ...parseEnv(text), ...processEnv };
}
