// Keeps links in e-mails from redirecting to any address but the site's, the host's own and those config.toml allows.

import { isLoopbackHost } from "../../config.ts";
import { globToRegExp } from "./glob.ts";

const webSchemes = new Set(["http:", "https:"]);
/** Schemes that a browser would execute or read from disk; no pattern allows them. */
const blockedSchemes = new Set(["javascript:", "data:", "vbscript:", "file:", "blob:", "about:"]);
const maxUrlLength = 2048;

/** Decides where a link in an e-mail may redirect to. */
export interface RedirectUrls {
  /** The target when no redirect is requested or the requested one is not allowed. */
  readonly siteUrl: string;
  /** @returns `wanted` if it is allowed, else `siteUrl` */
  resolve: (wanted: string | null | undefined) => string;
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** True for every form of a loopback host: 127.0.0.0/8, `localhost` and its subdomains, `::1`, `0.0.0.0` and `::`. */
function isLoopbackHostname(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  return (
    isLoopbackHost(name) ||
    name.endsWith(".localhost") ||
    /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(name) ||
    name === "0.0.0.0" ||
    name === "[::]"
  );
}

/** True for URLs of the reader's own machine. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHostname(parse(url)?.hostname ?? "");
}

function isSameSite(base: URL, wanted: URL): boolean {
  if (base.protocol !== wanted.protocol) return false;
  // Between loopback addresses neither name nor port matters, as for a development server.
  if (isLoopbackHost(base.hostname) && isLoopbackHost(wanted.hostname)) return true;
  return base.host === wanted.host;
}

/**
 * @param sites origins that are always allowed, besides the site: the host's own address.
 * @param globs patterns of `additional_redirect_urls`, matched against the URL without its fragment.
 */
export function createRedirectUrls(
  siteUrl: string,
  sites: readonly string[],
  globs: readonly string[],
): RedirectUrls {
  const bases = [siteUrl, ...sites].map(parse).filter((base) => base !== undefined);
  const patterns = globs.map(globToRegExp);
  const isPublic = !(sites.length > 0 ? sites : [siteUrl]).some(isLoopbackUrl);
  const isAllowed = (text: string): boolean => {
    const wanted = text.length <= maxUrlLength ? parse(text) : undefined;
    if (wanted === undefined || blockedSchemes.has(wanted.protocol)) return false;
    // A pattern for a developer's machine must not let links of a public install lead to the reader's machine.
    if (isPublic && webSchemes.has(wanted.protocol) && isLoopbackHostname(wanted.hostname))
      return false;
    if (wanted.username !== "" || wanted.password !== "") return false;
    if (bases.some((base) => isSameSite(base, wanted))) return true;
    // Patterns match the normalised URL that a browser would open, not its original spelling.
    const address = webSchemes.has(wanted.protocol) ? wanted.href : text;
    const withoutFragment = address.split("#")[0] ?? "";
    const asWritten = text.split("#")[0] ?? "";
    return patterns.some(
      (pattern) =>
        pattern.test(withoutFragment) ||
        // `https://a.example` lacks the trailing slash that a browser adds.
        (withoutFragment === `${asWritten}/` && pattern.test(asWritten)),
    );
  };
  return {
    siteUrl,
    resolve: (wanted) => (wanted && isAllowed(wanted) ? wanted : siteUrl),
  };
}
