import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ version?: string, integrity?: string, resolved?: string, link?: boolean, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage */

/** Packages by path, from a lock file of npm; undefined when there is none or it cannot be read. */
function readLock(path) {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** Only what decides about the installed files: npm versions differ in the other fields they record. */
function isSamePackage(locked, installed) {
  if (locked.link === true)
    return installed.link === true && locked.resolved === installed.resolved;
  return locked.version === installed.version && locked.integrity === installed.integrity;
}

/**
 * True when the installed packages are the locked ones. Optional packages may be missing, because npm skips those of
 * other platforms.
 * @param {Readonly<Record<string, LockedPackage>>} locked
 * @param {Readonly<Record<string, LockedPackage>>} installed
 */
export function isSameInstall(locked, installed) {
  const isInstalled = ([path, entry]) => {
    // The empty path is the project itself, which npm does not record as installed.
    if (path === "") return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return isSamePackage(entry, found);
  };
  return (
    Object.entries(locked).every(isInstalled) &&
    Object.keys(installed).every((path) => locked[path] !== undefined)
  );
}

/**
 * What an installation without the packages of development holds of a lock file.
 * @param {Readonly<Record<string, LockedPackage>>} locked
 */
export function withoutDevelopment(locked) {
  return Object.fromEntries(Object.entries(locked).filter(([, { dev }]) => dev !== true));
}

/**
 * True when `node_modules` holds the packages of `package-lock.json`. npm writes `node_modules/.package-lock.json` at
 * the end of every complete installation, whichever command made it.
 * @param {string} folder the one that holds `package-lock.json`
 * @param {{ omitsDev?: boolean }} [options] `omitsDev`: without the packages of development
 */
export function hasLockedPackages(folder, { omitsDev = false } = {}) {
  const all = readLock(join(folder, "package-lock.json"));
  const locked = all !== undefined && omitsDev ? withoutDevelopment(all) : all;
  const installed = readLock(join(folder, "node_modules", ".package-lock.json"));
  return locked !== undefined && installed !== undefined && isSameInstall(locked, installed);
}
