import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { withProvenBefore } from "./proven-before.ts";
import {
  regularExpressionsIn,
  withoutLookArounds,
  type RegularExpressions,
} from "./regular-expressions.ts";
import { sourceFiles } from "./source-files.ts";

/** Proven like the others, but in many seconds; a change of one letter has it proven again, and then it belongs here. */
const provenOnce = [
  String.raw`/\[([^[\]\n]+)\]\((?:https?:\/\/|mailto:)[^\s()]+(?:\)|$)/giu`,
  String.raw`/^(https:\/\/(www\.youtube-nocookie\.com\/embed|player\.vimeo\.com\/video)\/[\w-]+|\/(?!\/)[\w./-]+\.(mp4|webm))$/`,
  String.raw`/^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|\[\^(?:\\?[^[\]\\ \t]|\\[[\]\\])+\]:))*/u`,
  String.raw`/(?<!-)font-(?:weight|style):\s*(?:normal|[1-4]00)/`,
  "/\\bhttps?:\\/\\/[^\\s<>\"'`{}|\\\\^]+/giu",
];

/** What is not proven, each with what bounds it. */
const bounded: Readonly<Record<string, string>> = {
  [String.raw`/\/+$/`]: "the product's own address, from the operator",
  [String.raw`/\[\^(?:\\?[^[\]\\ \t]|\\[[\]\\])+\]:/gu`]:
    "reads only what the pattern above it matched, 25,000 characters at most, in which each beginning has its end",
  [String.raw`/^(['"])(.*)\1$/`]:
    "one run between two ends of a line: a reference back is tried once",
  [String.raw`/^([\p{L}][\p{L}\p{N} _-]{0,40}): (.+)$/u`]:
    "begins at the beginning, with 41 letters at most",
  [String.raw`/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g`]: "a setting of the operator",
  [String.raw`/\{\{-?\s*(.*?)\s*-?\}\}/g`]: "an e-mail template of the operator",
  "/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/":
    "begins at the beginning; labels of 63 letters, with a point between two",
  "/pre-existing shared memory block .* still in use/":
    "what the database itself says at its start",
  [String.raw`/\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?"?([\w-]+)"?/gi`]:
    "a migration of the project",
  [String.raw`/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|;/g`]:
    "a migration of the project",
  [String.raw`/^\s*([^=]+)=(not\.)?([a-z]+)\.([\s\S]*)$/`]:
    "a filter of a subscription, 8,000 characters at most",
  [String.raw`/;\s*boundary=(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i`]:
    "a header, 16 KiB at most",
  [String.raw`/^content-disposition:\s*form-data\b(.*)$/im`]:
    "the headers of a part, bounded before",
  [String.raw`/^content-type:\s*([^\r\n]{1,200})$/im`]: "the headers of a part, bounded before",
  [String.raw`/^(?:text\/(?:html|xml|javascript|xsl)|application\/(?:xml|xhtml\+xml|javascript|x-javascript|ecmascript)|image\/svg\+xml|multipart\/|.+\+xml)/`]:
    "a content type, a header of 16 KiB at most; begins at the beginning",
  [String.raw`/^import [^;]*;\n/gm`]: "a script of the sandbox itself",
  "/^[ \\t]*(?:`{3,}|~{3,})[\\w+#.-]{0,20}[ \\t]*$/gmu":
    "begins at the beginning of a line, and no two parts that repeat hold the same sign",
};

/** Files that build one from parts, each with the reason why it is bounded. */
const builtIn: Readonly<Record<string, string>> = {
  "packages/host/src/auth/flows/glob.ts": "the operator's own addresses",
  "packages/host/src/realtime/socket/frames.ts":
    "begins at the beginning of a message, whose length is bounded",
  "web/src/app/static-pages/show-frame.ts": "the build's own routes, one part after the other",
  "web/src/domain/captions.ts": "begins at the beginning; digits and spaces follow each other",
  "web/src/domain/content-pictures.ts": "from beginning to end, of names with bounded parts",
  "web/src/features/mentions/model/mention.ts":
    "the text before the cursor, cut to the length of a name",
  "web/src/features/mentions/model/split-mentions.ts": "names as they are, without repetition",
  "web/src/features/studio/components/editor-extensions.ts": "a fixed number of signs",
  "web/src/lib/fold-text.ts": "one run of one class",
  "web/src/lib/message-excerpt.ts":
    "a message's beginning, cut before; its test feeds it runs of each sign",
};

let written: RegularExpressions;
beforeAll(() => {
  const files = sourceFiles([".ts", ".tsx"]).filter(({ path }) =>
    /^(?:web\/src|packages\/[^/]+\/src|supabase\/functions)\//.test(path),
  );
  written = regularExpressionsIn(files);
});

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** `safe` only when the time grows with the length alone, at any place of the text a search may begin. In a process of its own. */
function statusesOf(patterns: readonly Pattern[]): string[] {
  const parts = patterns.map(({ source }) => withoutLookArounds(source));
  const input = parts.flatMap((some, at) =>
    some.map((source) => ({ source, flags: patterns[at]?.flags ?? "" })),
  );
  const program = fileURLToPath(new URL("prove-patterns.ts", import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [program], {
    input: JSON.stringify(input),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const proven = JSON.parse(stdout) as string[];
  return parts.map(
    (some) => proven.splice(0, some.length).find((each) => each !== "safe") ?? "safe",
  );
}

test("the check finds what takes the square of a text's length, and more", () => {
  const bad = [String.raw`[ \t]+$`, String.raw`(a+)+$`, String.raw`[\s,]+(?=#)`];
  const all = [...bad, String.raw`^[ \t]+`].map((source) => ({ source, flags: "u" }));
  expect(statusesOf(all)).toEqual([...bad.map(() => "vulnerable"), "safe"]);
});

test(
  "no regular expression takes longer than the length of the text it reads, whatever members write",
  { timeout: 480_000 },
  () => {
    const listed = new Set([...provenOnce, ...Object.keys(bounded)]);
    const rest = [...written.literals].filter(([text]) => !listed.has(text));
    const statuses = withProvenBefore(
      rest.map(([, pattern]) => pattern),
      statusesOf,
    );
    const open = rest.flatMap(([text, { paths }], at) =>
      statuses[at] === "safe" ? [] : [`${text} is ${statuses[at]}, in ${paths.join(" and ")}`],
    );
    expect(open).toEqual([]);
    expect([...listed].filter((text) => !written.literals.has(text))).toEqual([]);
  },
);

test("those that are built from parts are the listed ones", () => {
  expect(written.built).toEqual(Object.keys(builtIn).toSorted());
});
