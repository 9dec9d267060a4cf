import { expect, it } from "vitest";
import { submissionTypeName } from "./submission-type-name.ts";

it("writes a type of submission as words", () => {
  expect(submissionTypeName("progress_report")).toBe("Progress report");
  expect(submissionTypeName("before_after")).toBe("Before and after");
});
