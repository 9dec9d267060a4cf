import type { TestProject } from "vitest/node";
import { startFixtureHost } from "./start-fixture-host.ts";

/** One host over the fixture project for all contract tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { running, stop } = await startFixtureHost();
  project.provide("host", running);
  return stop;
}
