import { describe, expect, it } from "vitest";
import { readCallout } from "@/domain/callouts.ts";
import { openText, writeBlocks } from "./model/text-document.ts";

function throughEditor(markdown: string): string {
  return writeBlocks(openText(markdown)?.document.content ?? []);
}

describe("the editor", () => {
  it.for([
    ["a callout", "> [!NOTE]\n> Keep the receipts."],
    ["words with marks", "> [!WARNING]\n> **Never** on a Friday."],
    ["several blocks", "> [!TIP]\n> First this.\n>\n> - one\n> - two"],
    ["a plain quote", "> Somebody said so.\n>\n> And went on."],
    ["a quote in a quote", "> Outer.\n>\n> > Inner."],
  ] as const)("leaves %s as it is", ([, markdown]) => {
    expect(throughEditor(markdown)).toBe(markdown);
    expect(throughEditor(`Before.\n\n${markdown}\n\nAfter.`)).toBe(
      `Before.\n\n${markdown}\n\nAfter.`,
    );
  });
});

describe("the marker of a callout", () => {
  it("stands alone in the first line", () => {
    expect(readCallout("[!NOTE]\nWords")).toEqual({ kind: "note", rest: "Words" });
    expect(readCallout("[!TIP]")).toEqual({ kind: "tip", rest: "" });
    for (const words of ["[!NOTE] Words", "[!note]\nWords", "See [!NOTE]\n", "[!OTHER]\nWords"]) {
      expect(readCallout(words)).toBeNull();
    }
  });
});
