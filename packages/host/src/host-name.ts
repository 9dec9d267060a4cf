import { hostname } from "node:os";
import type { HostContext } from "./context.ts";

/** What operators know a host by: in its reports, and in what other hosts log of it. Two hosts on one machine have different ports. */
export function hostName({ localUrl }: Pick<HostContext, "localUrl">): string {
  return `${hostname()}:${new URL(localUrl).port}`;
}
