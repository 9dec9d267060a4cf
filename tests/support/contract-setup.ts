import type { TestProject } from "vitest/node";
import { leaveNothingRunning } from "../../tools/leave-nothing.mjs";
import { prepareFixtureHosts, startFixtureHost } from "./start-fixture-host.ts";

/** One host over the fixture project for all contract tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  leaveNothingRunning();
  const removePrepared = await prepareFixtureHosts();
  const { running, stop } = await startFixtureHost();
  project.provide("host", running);
  return async () => {
    await stop();
    await removePrepared();
  };
}
