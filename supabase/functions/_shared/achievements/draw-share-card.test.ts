import { describe, expect, it } from "vitest";
import { drawShareCard } from "./draw-share-card.ts";

const card = {
  name: "Ada Lovelace",
  title: "Four weeks",
  line: "Active in four weeks of one streak.",
  day: "2026-11-25",
};
const textsOf = (svg: string) =>
  Array.from(svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g), (match) => match[1]);

describe("a card to share", () => {
  it("says its words, the product's name and the day", () => {
    expect(textsOf(drawShareCard(card))).toEqual([
      "Fourfold",
      "Four weeks",
      "Active in four weeks of one streak.",
      "Ada Lovelace",
      "25 November 2026",
    ]);
  });

  it("holds shapes and escaped text, whatever the words hold", () => {
    const hostile = `</text><script>alert(1)</script><image href="https://evil.test/x"/>&#x3c;"'\u0000\u202e`;
    const svg = drawShareCard({ ...card, name: hostile, title: hostile, line: hostile });
    const tags = new Set(Array.from(svg.matchAll(/<(\w+)/g), ([, name]) => name));
    expect(tags).toEqual(new Set(["circle", "g", "path", "rect", "svg", "text"]));
    const markup = Array.from(svg.matchAll(/<[^>]*>/g), ([tag]) => tag).join("");
    expect(markup).not.toMatch(/ (?:on\w+|href|style|xlink:href)=/);
    expect(svg).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(svg).toContain("&lt;script&gt;");
  });

  it("breaks a long title into two lines and shortens what is left over", () => {
    const long = "How to price your work when nobody has ever paid you for it before ".repeat(3);
    const texts = textsOf(drawShareCard({ ...card, title: long, name: "W".repeat(200) }));
    expect(texts).toHaveLength(6);
    expect(texts[1]).not.toMatch(/…$/);
    expect(texts[2]).toMatch(/…$/);
    expect(texts[4]).toMatch(/^W+…$/);
    expect(texts[4]?.length).toBeLessThan(24);
  });

  it("keeps a long word of one piece within the card", () => {
    const [, first = ""] = textsOf(drawShareCard({ ...card, title: "x".repeat(200) }));
    expect(first).toMatch(/^x+…$/);
    expect(first.length).toBeLessThan(50);
  });
});
