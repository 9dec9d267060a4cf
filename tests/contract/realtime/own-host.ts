import { afterAll, beforeAll, inject } from "vitest";
import type { HostContext, LimitOverrides } from "basehost";
import type { RunningHost } from "../../support/running.ts";
import { startFixtureHost } from "../../support/start-fixture-host.ts";

let own: Awaited<ReturnType<typeof startFixtureHost>> | undefined;

/** The host of this file: its own if it has one, else the shared one. */
export function hostOfFile(): RunningHost {
  return own?.running ?? inject("host");
}

/** The context of this file's own host. */
export function contextOfFile(): HostContext {
  if (own === undefined) throw new Error("This file has no host of its own.");
  return own.host.context;
}

/**
 * Gives this file a host and a database of its own, for tests that listen to whole tables or break
 * connections: nothing may happen there but what the file does. Call it before other hooks.
 * @param limits such as connections for several services over it
 */
export function startOwnHost(limits: LimitOverrides = {}): void {
  beforeAll(async () => {
    own = await startFixtureHost({}, undefined, { limits });
  });
  afterAll(async () => {
    await own?.stop();
    own = undefined;
  });
}
