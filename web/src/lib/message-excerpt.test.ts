import { expect, it } from "vitest";
import { messageExcerpt } from "./message-excerpt.ts";

it.each([
  ["Read **this** and _that_, *now*", "Read this and that, now"],
  ["***All*** of **it *is* here**", "All of it is here"],
  ["Run `npm test` or\n```sh\nnpm start\n```", "Run npm test or\n\nnpm start"],
  ["See [the guide](https://example.com/a_b_c).", "See the guide."],
  ["Cut: [here](https://example.com/a", "Cut: here"],
  ["Write to [us](mailto:us@example.com)", "Write to us"],
])("takes the markers out of %s", (text, plain) => {
  expect(messageExcerpt(text)).toBe(plain);
});

it.each([
  "2*3*4 and 5 * 3",
  "snake_case_name and __init__",
  "*_* and ^_^",
  "cut off **in the mid",
  "[x](javascript:alert(1))",
  "<b>bold</b>",
  "```",
  "- milk\n- eggs",
])("leaves %s as typed", (text) => {
  expect(messageExcerpt(text)).toBe(text);
});

it("is short and fast, whatever it is given", () => {
  for (const part of ["**a ", "[a](", "`", "_*", "*a*_b_"]) {
    const started = performance.now();
    expect(messageExcerpt(part.repeat(1000)).length).toBeLessThanOrEqual(300);
    messageExcerpt(part.repeat(1000), 4000);
    expect(performance.now() - started).toBeLessThan(5000);
  }
});
