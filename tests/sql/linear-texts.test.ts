import { expect } from "vitest";
import { test } from "./world.ts";

const shapes = [
  "[",
  "[a](b",
  "](",
  "#\n",
  "- [ ] ",
  "> ",
  "|-",
  " ",
  " a",
  "\n",
  "*`",
  "1.",
  "x\n   ",
];

// As long as a text may be. The square of its length takes minutes.
test.for(["plain_text", "reading_minutes", "trim_markdown"])(
  "%s takes time that grows with the length of a text, whatever it holds",
  async (name, { world }) => {
    await world.run("owner", "set local statement_timeout = '60s'");
    const each = `select private.${name}(left(repeat(shape, 204800), 204800))::text as read from unnest($1::text[]) shape`;
    expect(await world.run("owner", each, [shapes])).toHaveLength(shapes.length);
    await world.run("owner", "set local statement_timeout = 0");
  },
);
