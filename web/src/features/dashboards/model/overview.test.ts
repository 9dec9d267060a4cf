import { describe, expect, it } from "vitest";
import { churnText, shareText } from "./overview.ts";

describe("the overview's figures", () => {
  it("give churn as a share of those who were members", () => {
    expect(churnText({ members: 0, lost: 0 })).toBe("–");
    expect(churnText({ members: 31, lost: 1 })).toBe("3.2%");
    expect(churnText({ members: 4, lost: 0 })).toBe("0%");
  });

  it("give each step of the funnel as a share of the one before", () => {
    expect(shareText(2, 5)).toBe("40%");
    expect(shareText(0, 0)).toBeNull();
  });
});
