import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { HostContext, RealtimeLimits } from "basehost";
import { createRealtime, type SharedByHosts } from "basehost/testing";
import type { RunningHost } from "../../support/running.ts";
import { contextOfFile, hostOfFile } from "./own-host.ts";

/** A Realtime service next to the file's host, over the same database. */
export interface OwnRealtime {
  running: RunningHost;
  /** Moves the service's clock, which otherwise stands still. */
  advance: (ms: number) => void;
  /** Sends a request to its HTTP routes. */
  request: (request: Request) => Promise<Response>;
  stop: () => Promise<void>;
}

/** Starts a service with a clock and limits of the test, so that nothing depends on the speed of the machine. */
export async function startRealtime(
  limits: Partial<RealtimeLimits> = {},
  config: Partial<HostContext["config"]> = {},
  shared: SharedByHosts = {},
): Promise<OwnRealtime> {
  const context = contextOfFile();
  let now = Date.now();
  const realtime = createRealtime(
    { ...context, config: { ...context.config, ...config }, now: () => now },
    { sweepEveryMs: 5, ...limits },
    shared,
  );
  const server = createServer();
  server.on("upgrade", (request, socket, head) => realtime.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    running: { ...hostOfFile(), url: `http://127.0.0.1:${port}` },
    advance: (ms) => {
      now += ms;
    },
    request: async (request) => await realtime.app.fetch(request),
    stop: async () => {
      await realtime.stop();
      server.close();
    },
  };
}
