import { Hono } from "hono";
import type { HostContext } from "../context.ts";

export function createStorageApp(_context: HostContext): Hono {
  return new Hono();
}
