import { Hono } from "hono";
import type { HostContext } from "../context.ts";

export function createFunctionsApp(
  _context: HostContext,
  _env: Readonly<Record<string, string>>,
): Hono {
  return new Hono();
}
