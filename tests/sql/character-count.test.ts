import { describe, expect } from "vitest";
import { countCharacters } from "../../web/src/domain/character-count.ts";
import { test } from "./world.ts";

describe("the interface's counters", () => {
  test("count as the database does, also what people see as one", async ({ world }) => {
    for (const text of ["Zoë", "Zoe\u0308", "😀", "👍🏽", "🇬🇧", "👨‍👩‍👧‍👦", "1️⃣", "नि", "한", "a\r\nb"]) {
      const sent = text.repeat(3);
      expect(await world.one("owner", "select char_length($1) as count", [sent]), text).toEqual({
        count: countCharacters(sent),
      });
    }
  });
});
