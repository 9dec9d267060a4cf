import { paths } from "@/domain/paths.ts";

const key = "fourfold-asked-link";
/** Links of e-mails are good for an hour. */
const maxAgeMs = 3_600_000;

/** The link that this browser asked for last. */
export interface AskedLink {
  readonly email: string;
  /** Where the link leads once it was opened here: a path of this site. */
  readonly next: string;
}

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Remembers that this browser asked for a link. Only such a link may sign a visitor in by itself: anybody can have a
 * link to an account of their own sent, and pass it on.
 */
export function rememberAskedLink(storage: () => Kept, link: AskedLink, now: number): void {
  try {
    storage().setItem(key, JSON.stringify({ ...link, at: now }));
  } catch {
    // Without storage the visitor signs in after opening the link.
  }
}

/** Remembers that this browser asked for a confirmation again; it leads where the first one led. */
export function renewAskedLink(storage: () => Kept, email: string, now: number): void {
  const next = readAskedLink(storage, now)?.next ?? paths.onboarding;
  rememberAskedLink(storage, { email, next }, now);
}

/** The link this browser asked for within the last hour; null without one. */
export function readAskedLink(storage: () => Kept, now: number): AskedLink | null {
  try {
    const kept = JSON.parse(storage().getItem(key) ?? "null") as
      (Partial<AskedLink> & { at?: number }) | null;
    if (typeof kept?.email !== "string" || typeof kept.next !== "string") return null;
    if (typeof kept.at !== "number" || now - kept.at > maxAgeMs) return null;
    return /^\/(?!\/)/.test(kept.next) ? { email: kept.email, next: kept.next } : null;
  } catch {
    return null;
  }
}

/** True when both are the same address: the server keeps addresses in lower case. */
export function isSameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

export function forgetAskedLink(storage: () => Kept): void {
  try {
    storage().removeItem(key);
  } catch {
    // There is nothing to forget.
  }
}
