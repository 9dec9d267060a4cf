import { toRole, type Role } from "@/domain/roles.ts";
import { browserStorage } from "./browser-storage.ts";

const key = "fourfold-role";

/** The role of this browser's member when they were last here, null when that is not known. Decides on nothing but what is drawn first. */
export function readRememberedRole(): Role | null {
  const stored = browserStorage.getItem(key);
  return stored === null ? null : toRole(stored);
}

export function rememberRole(role: Role): void {
  if (browserStorage.getItem(key) !== role) browserStorage.setItem(key, role);
}

export function forgetRole(): void {
  browserStorage.removeItem(key);
}
