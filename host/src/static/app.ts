import { Hono } from "hono";
import type { HostContext } from "../context.ts";

export function createStaticApp(
  _context: HostContext,
  _options: { staticFolder?: string; publicConfig?: Readonly<Record<string, unknown>> },
): Hono {
  return new Hono();
}
