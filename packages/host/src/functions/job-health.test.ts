import { expect, it } from "vitest";
import { JobHealth } from "./job-health.ts";

it("warns of a job that failed, and calls it failing after three times in a row", () => {
  const jobs = new JobHealth();
  jobs.record("send-emails", true, { sent: 3, failed: 0 });
  expect(jobs.check()).toEqual({ state: "ok" });
  jobs.record("send-emails", false, {});
  expect(jobs.check()).toEqual({ state: "warning", detail: "send-emails failed last time" });
  jobs.record("send-emails", false, {});
  jobs.record("send-emails", false, {});
  const detail = "send-emails failed 3 times in a row";
  expect(jobs.check()).toEqual({ state: "failing", detail });
  jobs.record("send-emails", true, {});
  expect(jobs.check()).toEqual({ state: "ok" });
});

it("counts a run that could not do all of it, such as while the card provider is away", () => {
  const jobs = new JobHealth();
  jobs.record("send-emails", true, {});
  jobs.record("billing-reconcile", true, { checked: 0, failed: 4 });
  expect(jobs.check()).toEqual({ state: "warning", detail: "billing-reconcile failed last time" });
});
