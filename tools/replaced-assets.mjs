// Files of earlier builds, which tabs opened before a release still ask for. Plain JavaScript, as `runtime.mjs` needs it.
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";

/** How long a file is served after a build has replaced it. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

const filesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/**
 * Sets the files of the present build aside before the next one empties its folder. A file's time is then that of its
 * replacement.
 * @param {string} assets the folder of the build
 * @param {string} store where files are set aside
 */
export function setAssetsAside(assets, store) {
  mkdirSync(store, { recursive: true });
  const now = new Date();
  for (const name of filesIn(assets)) {
    if (existsSync(join(store, name))) continue;
    linkSync(join(assets, name), join(store, name));
    utimesSync(join(store, name), now, now);
  }
}

/**
 * Puts what the new build no longer has back beside it, and forgets what was replaced a week ago.
 * @param {string} assets
 * @param {string} store
 * @param {number} [nowMs]
 */
export function putReplacedAssetsBack(assets, store, nowMs = Date.now()) {
  for (const name of filesIn(store)) {
    const kept = join(store, name);
    const isCurrent = existsSync(join(assets, name));
    if (isCurrent || nowMs - statSync(kept).mtimeMs > keptMs) rmSync(kept);
    else linkSync(kept, join(assets, name));
  }
}
