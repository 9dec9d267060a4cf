import { afterAll, beforeAll, inject } from "vitest";
import type { RunningHost } from "../../support/running.ts";
import { startFixtureHost } from "../../support/start-fixture-host.ts";

let own: RunningHost | undefined;

/** The host of this file: its own where it asked for one, else the one all contract tests share. */
export function hostOfFile(): RunningHost {
  return own ?? inject("host");
}

/**
 * Gives this file a host and a database of its own, for tests that listen to whole tables or break
 * connections: nothing may happen there but what the file does. Call it before other hooks.
 */
export function startOwnHost(): void {
  let stop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const started = await startFixtureHost();
    own = started.running;
    stop = started.stop;
  });
  afterAll(async () => {
    await stop?.();
    own = undefined;
  });
}
