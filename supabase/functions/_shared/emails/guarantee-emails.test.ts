import { describe, expect, it } from "vitest";
import { writeEmail } from "./email-templates.ts";

describe("an e-mail about the guarantee", () => {
  it.each([
    ["guarantee_baseline", { until: "2026-12-08T00:00:00+00:00" }, "by 7 December 2026"],
    ["guarantee_check_in", { until: "2026-06-07T23:00:00+00:00" }, "by 7 June 2026"],
    ["guarantee_claim_open", { until: "2026-12-08T00:00:00+00:00" }, "by 7 December 2026"],
    ["guarantee_declined", { appeal_until: "2026-06-07T23:00:00+00:00" }, "by 7 June 2026"],
  ])("%s names the last day, which is over at midnight in London", (name, data, said) => {
    expect(JSON.stringify(writeEmail(name, data))).toContain(said);
  });
});
