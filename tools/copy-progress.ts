import { BootError } from "basehost";
import type { copyFiles } from "basehost/files";

/** One line that is written over while it changes, and once at the end where nobody watches. */
export function showProgress(done: number, all: number): void {
  if (process.stdout.isTTY) process.stdout.write(`\r${done} of ${all}`);
  if (process.stdout.isTTY && done === all) process.stdout.write("\n");
}

/**
 * Says what a run of copying files did.
 * @throws {BootError} with the names of files that the source does not have as they were uploaded.
 */
export function reportCopied({
  copied,
  present,
  broken,
}: Awaited<ReturnType<typeof copyFiles>>): void {
  process.stdout.write(`${copied} files copied and read back, ${present} were there already.\n`);
  if (broken.length > 0) {
    throw new BootError(`Missing or damaged at the source, so not copied: ${broken.join(", ")}`);
  }
}
