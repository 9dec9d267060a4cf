import type { TestProject } from "vitest/node";
import { leaveNothingRunning } from "../../tools/leave-nothing.mjs";
import { startS3Server } from "./s3-server.ts";
import { prepareFixtureHosts, startFixtureHost } from "./start-fixture-host.ts";

/** One host over the fixture project for all contract tests; its files are on the disk or, for `contract-bucket`, in a bucket. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  leaveNothingRunning();
  const removePrepared = await prepareFixtureHosts();
  const bucket = project.name === "contract-bucket" ? await startS3Server() : undefined;
  const { running, stop } = await startFixtureHost(bucket?.env);
  project.provide("host", { ...running, ...(bucket && { bucketFolder: bucket.folder }) });
  return async () => {
    await stop();
    await bucket?.remove();
    await removePrepared();
  };
}
