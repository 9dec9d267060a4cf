import { maxLinkLength } from "./markdown-bounds.ts";

/** Control characters, spaces and backslashes are read differently by different programs. */
export const ambiguous = /[\s\\\p{Cc}]/u;

/**
 * A link of an author as it may be followed: https to elsewhere, or an address of this site. Null for everything else.
 * The one rule of reader, editor and check.
 */
export function safeLink(href: string | null | undefined): string | null {
  const link = (href ?? "").trim();
  if (link === "" || link.length > maxLinkLength || ambiguous.test(link)) return null;
  if (link.startsWith("#")) return link;
  if (link.startsWith("/")) return link.startsWith("//") ? null : link;
  if (!/^https:\/\//i.test(link) || !URL.canParse(link)) return null;
  const { protocol, username, password, hostname, href: whole } = new URL(link);
  // A name without a dot is one of the reader's own network.
  const isPublic = protocol === "https:" && hostname.includes(".");
  return isPublic && username === "" && password === "" ? whole : null;
}
