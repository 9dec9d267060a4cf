import { expect } from "vitest";
import { timeLimitMs } from "../support/time-limits.ts";
import { test, type World } from "./world.ts";

/** The longest text that members write. */
const textLength = 204_800;
/** A text is read in milliseconds; the square of its length takes minutes. */
const timeout = "10s";

/** A literal that is a whole pattern. Those put together from parts are the ones of words, which their own tests feed. */
const literal = String.raw`E?'((?:[^']|'')*)'(?!'|\s*\|\|)`;
const written = [
  new RegExp(String.raw`[^<>]!?~\*?\s*${literal}`, "g"),
  new RegExp(String.raw`\bregexp_\w+\((?:[^'()]|\([^()]*\))*,\s*${literal}`, "g"),
  new RegExp(String.raw`\bfrom\s+${literal}\s*\)`, "g"),
  new RegExp(String.raw`\bsimilar\s+to\s+${literal}`, "gi"),
];

/** Every pattern that a function or a constraint of the product holds as a literal. */
async function patternsOf(world: World): Promise<string[]> {
  const rows = await world.run(
    "owner",
    `select p.prosrc as text from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'private', 'hooks')
     union all select pg_get_constraintdef(c.oid) from pg_constraint c
     where c.contype = 'c' and c.connamespace::regnamespace::text in ('public', 'private')`,
  );
  const found = rows.flatMap(({ text }) =>
    written.flatMap((each) => [...String(text).matchAll(each)].map(([, pattern = ""]) => pattern)),
  );
  return [...new Set(found.map((pattern) => pattern.replaceAll("''", "'")))].toSorted();
}

/** Runs of the signs a pattern names, alone and in pairs that begin a match again and again. */
function shapesOf(pattern: string): string[] {
  const plain = pattern.replaceAll(/\\[a-zA-Z]|\[:\w+:\]|\{\d*,?\d*\}/g, "");
  const signs = [...new Set(Array.from(plain).filter((sign) => !"\\^$()?|+{}".includes(sign)))];
  const some = [...signs.slice(0, 8), " ", "a", "1", "\n"];
  const all = [...new Set(some)];
  return [...all, ...all.map((sign) => `${sign}x`), plain.slice(0, 40), all.join("")].filter(
    (shape) => shape !== "",
  );
}

test(
  "every pattern of the database takes time that grows with the length of a text, whatever it holds",
  { timeout: timeLimitMs(240) },
  async ({ world }) => {
    const patterns = await patternsOf(world);
    expect(patterns.length).toBeGreaterThan(20);
    const slow: string[] = [];
    for (const pattern of patterns) {
      // A reference back is tried in every way.
      if (/\\[1-9]/.test(pattern)) slow.push(`${pattern} refers back`);
      await world.run("owner", `set local statement_timeout = '${timeout}'`);
      try {
        await world.run(
          "owner",
          `select count(regexp_replace(left(repeat(shape, $3), $3) || chr(1), $1, '', 'g')) from unnest($2::text[]) shape`,
          [pattern, shapesOf(pattern), textLength],
        );
      } catch (error) {
        slow.push(`${pattern}: ${String(error)}`);
      }
      await world.run("owner", "set local statement_timeout = 0");
    }
    expect(slow).toEqual([]);
  },
);
