import { ambiguous } from "@/domain/safe-link.ts";

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
