import fc from "fast-check";

/** Words and signs that mean something in Markdown when they stand at the wrong place. */
const words = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("one", "two", "Thé", "日本", "🙂", "a_b", "x") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "2024\\.",
      "\\#",
      "\\-",
      "\\+",
      "1)",
      "\\*",
      "\\_",
      "\\`",
      "\\[x]",
      "\\!",
      "\\~",
      "&copy;",
      "&nbsp;",
      "&amp;lt;",
      "&#42;",
      "\\<b>",
      "<!-- c -->",
      "<b>",
      "|",
      "\\|",
      ":",
      "=",
      "!",
      "(",
      ")",
      "\\\\",
      "\\&copy;",
      "~",
      '"q"',
      "'",
      "https://example.com/a_b",
      "me@example.com",
      "www.example.com",
      "[^1]",
      "[see][ref]",
      "[ref]",
      "$",
      "#",
      ">",
      "<https://example.com/>",
    ),
  },
);

const phrase = fc.letrec<{ part: string; run: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 6, arbitrary: words },
    tie("run").map((run) => `*${run}*`),
    tie("run").map((run) => `**${run}**`),
    tie("run").map((run) => `_${run}_`),
    tie("run").map((run) => `~~${run}~~`),
    fc
      .tuple(
        tie("run"),
        fc.constantFrom("https://example.com/", "<https://example.com/a b>", "https://e.com/(x)"),
        fc.constantFrom("", ' "t"', ' "a \\"q\\""', " '\"'"),
      )
      .map(([run, url, title]) => `[${run}](${url}${title})`),
    fc.constantFrom("`code`", "`` a`b ``", "`a|b`", "` `` `", "`<b>`"),
    fc.constantFrom(
      '![Boats](https://e.com/a.png "t")',
      "![B](/storage/v1/object/public/content-pictures/11111111-1111-4111-8111-111111111111-1.jpg#10x20)",
    ),
  ),
  run: fc
    .array(tie("part"), { minLength: 1, maxLength: 4 })
    .chain((parts) => fc.constantFrom(" ", "", " ").map((by) => parts.join(by))),
})).run;

const lines = (sep: readonly string[]) =>
  fc
    .array(phrase, { minLength: 1, maxLength: 3 })
    .chain((parts) => fc.constantFrom(...sep).map((by) => parts.join(by)));

const indent = (text: string, by: string) =>
  text
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : `${by}${line}`))
    .join("\n");

const fences = fc
  .tuple(
    fc.constantFrom("```", "````", "~~~", "~~~~"),
    fc.constantFrom("", "js", 'js title="a b"', "c++"),
    fc.constantFrom("code", "", "```\ninner\n```", "  two\n\n\tthree", "~~~", "> no", "- [ ] no"),
  )
  .map(([fence, info, code]) => {
    const long =
      code.startsWith(fence[0] ?? "") || code.includes("\n```") ? fence[0]?.repeat(5) : fence;
    return `${long}${info}\n${code === "" ? "" : `${code}\n`}${long}`;
  });

const align = fc.constantFrom("---", ":--", "--:", ":-:");
const cell = fc.oneof(
  fc.constant(""),
  phrase.map((text) => text.replaceAll(/(?<!\\)\|/gu, "\\|")),
);
const table = fc.integer({ min: 1, max: 3 }).chain((columns) => {
  const row = (min: number) =>
    fc
      .array(cell, { minLength: min, maxLength: columns })
      .map((cells) => `| ${cells.join(" | ")} |`);
  return fc
    .tuple(
      row(columns),
      fc.array(align, { minLength: columns, maxLength: columns }),
      fc.array(row(1), { maxLength: 3 }),
    )
    .map(([head, sides, rows]) => [head, `| ${sides.join(" | ")} |`, ...rows].join("\n"));
});

const block = fc.letrec<{ block: string; blocks: string }>((tie) => ({
  blocks: fc
    .array(tie("block"), { minLength: 1, maxLength: 3 })
    .chain((parts) => fc.constantFrom("\n\n", "\n\n", "\n\n\n", "\n").map((by) => parts.join(by))),
  block: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: lines(["\n", "\\\n", "  \n", " "]) },
    fc
      .tuple(fc.integer({ min: 1, max: 6 }), phrase)
      .map(([depth, text]) => `${"#".repeat(depth)} ${text}`),
    phrase.map((text) => `${text}\n---`),
    fences,
    fc.constantFrom(
      "---",
      "***",
      "* * *",
      "    indented\n      code",
      "<div>\nhtml\n</div>",
      "<!-- one -->",
      "[other]: https://example.com/x 'T'",
    ),
    table,
    tie("blocks").map((inner) => `> ${inner.replaceAll("\n", "\n> ")}`),
    fc
      .tuple(
        fc.constantFrom("NOTE", "TIP", "WARNING", "OTHER"),
        fc.constantFrom("\n", "\n\n"),
        tie("blocks"),
      )
      .map(([kind, by, inner]) => `> [!${kind}]${`${by}${inner}`.replaceAll("\n", "\n> ")}`),
    fc
      .tuple(
        fc.constantFrom("-", "*", "+", "1.", "7)", "0."),
        fc.array(
          fc.tuple(
            fc.constantFrom("", "", "[ ] ", "[x] "),
            fc.oneof(fc.constant(""), tie("blocks")),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        fc.constantFrom("\n", "\n\n"),
      )
      .map(([marker, items, by]) =>
        items
          .map(([box, inner]) => indent(`${marker} ${box}${inner}`, " ".repeat(marker.length + 1)))
          .join(by),
      ),
    fc
      .tuple(fc.constantFrom("1", "long-name", "2"), tie("blocks"))
      .map(([label, inner]) => indent(`[^${label}]: ${inner}`, "    ")),
  ),
}));

/** Markdown of everything that the reader shows, nested, with what is often written wrongly. */
export const generatedMarkdown = fc
  .tuple(
    block.blocks,
    fc.constantFrom(
      "",
      "\n\n[^1]: A note.",
      '\n\n[ref]: https://example.com/ref "Ref"',
      "\n\n[^1]: A *note*.\n\n[ref]: <https://example.com/ref>\n",
    ),
  )
  .map(([text, end]) => `${text}${end}`);
