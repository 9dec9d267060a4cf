import { safeLink } from "@/domain/safe-link.ts";

/** `example.org/a` → `https://example.org/a`; null for what the library does not link to. */
export function linkAddress(typed: string): string | null {
  const text = typed.trim();
  return safeLink(/^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(text) ? `https://${text}` : text);
}
