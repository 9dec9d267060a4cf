import { describe, expect, it } from "vitest";
import { splitTopics } from "./model/topics.ts";

describe("small texts", () => {
  it("are put together from what was typed and stored", () => {
    expect(splitTopics(" a ,, b\nc  d ")).toEqual(["a", "b", "c d"]);
  });
});
