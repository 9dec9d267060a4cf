import { Hono } from "hono";
import type { HostContext } from "../context.ts";

export function createStaticApp(
  _context: HostContext,
  _options: {
    staticFolder: string | undefined;
    publicConfig?: Readonly<Record<string, unknown>>;
    contentSecurityPolicy?: Readonly<Record<string, readonly string[]>>;
  },
): Hono {
  return new Hono();
}
