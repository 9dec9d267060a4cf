import type { IncomingMessage } from "node:http";
import { isLoopbackHost } from "../../config.ts";
import type { HostContext } from "../../context.ts";
import { settingsAt } from "../../project.ts";

function originOf(text: unknown): string | undefined {
  try {
    return typeof text === "string" ? new URL(text).origin : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a browser page may open a socket: pages of this host, and of the sites config.toml names under
 * `auth`. Programs send no origin. Loopback pages may talk to a loopback host, for development servers.
 */
export function isOriginAllowed(context: HostContext, request: IncomingMessage): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  const from = originOf(origin);
  if (from === undefined) return false;
  const { host, hostname } = new URL(from);
  if (host === request.headers.host) return true;
  const auth = settingsAt(context.project, "auth");
  const more = auth["additional_redirect_urls"];
  const known = [
    context.publicUrl,
    context.localUrl,
    auth["site_url"],
    ...(Array.isArray(more) ? (more as unknown[]) : []),
  ];
  if (known.some((url) => originOf(url) === from)) return true;
  return isLoopbackHost(hostname) && isLoopbackHost(new URL(context.publicUrl).hostname);
}
