import { Hono } from "hono";
import type { HostContext } from "../context.ts";

export function createAuthApp(_context: HostContext): Hono {
  return new Hono();
}
