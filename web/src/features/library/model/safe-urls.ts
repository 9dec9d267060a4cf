import { maxLinkLength } from "@/domain/markdown-bounds.ts";

/** Control characters, spaces and backslashes are read differently by different programs. */
const ambiguous = /[\s\\\p{Cc}]/u;

/**
 * A link of an author as it may be followed: https to elsewhere, or an address of this site.
 * Null for everything else.
 */
export function safeLink(href: string | null | undefined): string | null {
  const link = (href ?? "").trim();
  if (link === "" || link.length > maxLinkLength || ambiguous.test(link)) return null;
  if (link.startsWith("#")) return link;
  if (link.startsWith("/")) return link.startsWith("//") ? null : link;
  if (!/^https:\/\//i.test(link) || !URL.canParse(link)) return null;
  const { protocol, username, password, href: whole } = new URL(link);
  return protocol === "https:" && username === "" && password === "" ? whole : null;
}

/**
 * The address of a file of this site or its backend, or null: pictures and films of
 * other sites are not loaded.
 */
export function ownFileUrl(address: string | null, origins: readonly string[]): string | null {
  const link = (address ?? "").trim();
  if (link === "" || ambiguous.test(link)) return null;
  if (link.startsWith("/")) return link.startsWith("//") ? null : link;
  if (!URL.canParse(link)) return null;
  const url = new URL(link);
  const ours = origins.filter((origin) => URL.canParse(origin)).map((each) => new URL(each).origin);
  return /^https?:$/.test(url.protocol) && ours.includes(url.origin) ? url.href : null;
}
