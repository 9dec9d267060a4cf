import { describe, expect, it } from "vitest";
import { splitLinks } from "./links.ts";

/** The addresses that become links in a text. */
const linksOf = (text: string) =>
  splitLinks(text).flatMap((each) => (each.kind === "link" ? [each.text] : []));

describe("links", () => {
  it.each([
    ["See https://a.test/x.", "https://a.test/x"],
    ["(https://a.test/x)", "https://a.test/x"],
    ["(https://a.test/x(1)).", "https://a.test/x(1)"],
    ["https://a.test/x(1)", "https://a.test/x(1)"],
    ["https://a.test/x(1))!)…", "https://a.test/x(1)"],
    ["https://a.test/(x", "https://a.test/(x"],
    ["“https://a.test/x”, he said", "https://a.test/x"],
    ["https://a.test/x!)y", "https://a.test/x!)y"],
  ])("of %j end before the punctuation of the sentence", (text, link) => {
    expect(linksOf(text)).toEqual([link]);
  });

  it.each([
    ["marks before a letter and brackets", `${"!".repeat(50_000)}x${")".repeat(25_000)}`],
    ["brackets and marks in turn", ")!".repeat(50_000)],
    ["brackets that open", "(".repeat(100_000)],
  ])("are found in a hostile address: %s", (_name, run) => {
    expect(splitLinks(`https://a.test/${run}`)).not.toEqual([]);
  });
});
