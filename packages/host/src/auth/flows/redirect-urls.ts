import { globToRegExp } from "./glob.ts";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const WEB = new Set(["http:", "https:"]);
/** Schemes a browser would run or read from disk; no pattern, however wide, lets them in. */
const NEVER = new Set(["javascript:", "data:", "vbscript:", "file:", "blob:", "about:"]);
const LONGEST_URL = 2048;

/** Decides where a link in an e-mail may send its reader. */
export interface Redirects {
  /** Where a link leads when nothing else is asked for, or what is asked for is not allowed. */
  readonly siteUrl: string;
  /** `wanted` when it is allowed, else the site itself. */
  resolve: (wanted: string | null | undefined) => string;
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Every spelling of this machine: all of 127/8, `localhost` and the names below it, `::1` and `0.0.0.0`. */
function isLoopbackHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  return (
    LOOPBACK.has(name) ||
    name.endsWith(".localhost") ||
    /^127\.\d+\.\d+\.\d+$/.test(name) ||
    /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(name) ||
    name === "0.0.0.0" ||
    name === "[::]"
  );
}

/** True for addresses of the machine the reader sits at. */
export function isLoopback(url: string): boolean {
  return isLoopbackHost(parse(url)?.hostname ?? "");
}

function isSameSite(base: URL, wanted: URL): boolean {
  if (base.protocol !== wanted.protocol) return false;
  // Between addresses of this very machine neither the name nor the port matters: a development server is one.
  if (LOOPBACK.has(base.hostname) && LOOPBACK.has(wanted.hostname)) return true;
  return base.host === wanted.host;
}

/**
 * @param sites origins that are always allowed: the site and the host's own address.
 * @param globs patterns of `additional_redirect_urls`, matched against the address without its fragment.
 */
export function createRedirects(
  siteUrl: string,
  sites: readonly string[],
  globs: readonly string[],
): Redirects {
  const bases = [siteUrl, ...sites].map(parse).filter((base) => base !== undefined);
  const patterns = globs.map(globToRegExp);
  const isPublic = !(sites.length > 0 ? sites : [siteUrl]).some(isLoopback);
  const isAllowed = (text: string): boolean => {
    const wanted = text.length <= LONGEST_URL ? parse(text) : undefined;
    if (wanted === undefined || NEVER.has(wanted.protocol)) return false;
    // A pattern for a developer's machine must not let links of a public install lead to a reader's own.
    if (isPublic && WEB.has(wanted.protocol) && isLoopbackHost(wanted.hostname)) return false;
    if (wanted.username !== "" || wanted.password !== "") return false;
    if (bases.some((base) => isSameSite(base, wanted))) return true;
    // Patterns see what a browser would open, not a spelling of it that only looks alike.
    const address = WEB.has(wanted.protocol) ? wanted.href : text;
    const withoutFragment = address.split("#")[0] ?? "";
    const asWritten = text.split("#")[0] ?? "";
    return patterns.some(
      (pattern) =>
        pattern.test(withoutFragment) ||
        // `https://a.example` is written without the slash a browser adds.
        (withoutFragment === `${asWritten}/` && pattern.test(asWritten)),
    );
  };
  return {
    siteUrl,
    resolve: (wanted) => (wanted && isAllowed(wanted) ? wanted : siteUrl),
  };
}
