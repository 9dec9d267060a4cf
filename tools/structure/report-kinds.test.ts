import { expect, it } from "vitest";
import { notificationKinds } from "../../supabase/functions/_shared/product/notification-kinds.ts";
import { sourceFiles } from "./source-files.ts";

const files = sourceFiles([".sql", ".ts", ".tsx"]);
const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? "";
const folder = "supabase/schemas/reports/";
const common = textOf(`${folder}reports.sql`);
const named = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, kind = ""]) => kind).toSorted();
const decisions = [...common.matchAll(/^ {4}\('(\w+)', '\w+', '(\w+)', (?:true|false)/gm)];
const kinds = decisions.map(([, kind = ""]) => kind).toSorted();

it("there are kinds of reports", () => expect(kinds.length).toBeGreaterThan(5));

it.each([
  ["a column of private.reports", /^ {2}(?!author|user)(\w+)_id uuid references/gm],
  ["its name in the check that one column is set", /(?<=num_nonnulls\([^)]*)\b(\w+)_id\b/g],
  ["its line in the check that it is the kind's", /when '(\w+)' then \1_id$/gm],
  ["an index of its column", /^create index reports_(?!author|user)(\w+)_id_idx/gm],
])("each has %s, and nothing else does", (_what, pattern) => {
  expect(named(common, pattern)).toEqual(kinds);
});

it.each(["reportable", "reported", "lock_reported", "remove_reported"])(
  "each has its function private.%s_<kind>, in the file of its name",
  (step) => {
    const pattern = new RegExp(`^create function private\\.${step}_(\\w+)\\(`, "gm");
    const found = files
      .filter(({ path }) => path.startsWith(folder))
      .flatMap(({ path, text }) => named(text, pattern).map((kind) => `${kind} in ${path}`))
      .toSorted();
    const inItsFile = (kind: string) => `${kind} in ${folder}${kind.replaceAll("_", "-")}.sql`;
    expect(found).toEqual(kinds.map(inItsFile));
  },
);

it("has the same reasons to choose from in the form, the check of the table and the function", () => {
  const names = textOf("web/src/domain/report-categories.ts").split("} as const")[0] ?? "";
  const offered = named(names, /^ {2}(\w+): "/gm);
  expect(offered.length).toBeGreaterThan(4);
  const lists = [...common.matchAll(/category (?:not )?in \(([^)]+)\)/g)];
  expect(lists.map(([, list = ""]) => named(list, /'(\w+)'/g))).toEqual([offered, offered]);
});

it("each has its place in the app's queue", () => {
  const list = textOf("web/src/features/moderation/model/report-kinds.ts");
  expect(named(list.split("] as const")[0] ?? "", /^ {2}"(\w+)",$/gm)).toEqual(kinds);
});

it("each says what both sides are told, and the audit log what was decided", () => {
  const { report_decided: decided, moderated } = notificationKinds;
  const told = (what: string) =>
    [decided, moderated].map(({ text }) => text({ what } as Parameters<typeof text>[0]));
  const unknown = told("unheard-of");
  const audit = textOf("web/src/features/admin-audit/strings.ts");
  for (const [, kind = "", removed = ""] of decisions) {
    for (const [index, text] of told(kind).entries()) expect(text, kind).not.toBe(unknown[index]);
    for (const outcome of ["kept", removed]) expect(audit).toContain(`"${kind}.${outcome}": `);
  }
});

it("each can be reported on a screen", () => {
  const screens = files
    .filter(({ path }) => /^web\/src\/features\/(?!moderation\/).*\.tsx$/.test(path))
    .filter(({ path, text }) => !path.includes(".test.") && /ReportDialog|ReportSubject/.test(text))
    .map(({ text }) => text)
    .join("\n");
  // `kind: "post"`, `kind="post"`, or chosen from two.
  const offered = (kind: string) => RegExp(`\\bkind(?:: |=)[^\\n]*"${kind}"`).test(screens);
  expect(kinds.filter((kind) => !offered(kind))).toEqual([]);
});

it("each code of a refused report has its text", () => {
  const said = textOf("web/src/features/moderation/strings.ts");
  const codes = kinds.flatMap((kind) =>
    named(textOf(`${folder}${kind.replaceAll("_", "-")}.sql`), /\bfail\('(FF\d+)'/g),
  );
  expect(codes.filter((code) => !said.includes(`${code}: `))).toEqual([]);
});
