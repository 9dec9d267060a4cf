import { describe, expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

const files = sourceFiles([".sql", ".ts", ".tsx"]);
const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? "";

/** What members may change of a profile that is no text of theirs. */
const noTexts = ["id", "role", "onboarding_complete", "updated_at"];
/** Other names for these stand on every page. */
const names = ["first_name", "last_name"];
/** A cleared profile keeps what says whose it is. */
const kept = [...names, "occupation"];

const grant = /\bupdate \(([^)]*)\)\s+on public\.profiles to authenticated/.exec(
  textOf("supabase/schemas/profiles/profiles.sql"),
);
const texts = (grant?.[1] ?? "").split(/,\s*/).filter((column) => !noTexts.includes(column));

describe("a text of a profile", () => {
  it("is found by what members may change", () => {
    expect(texts).toEqual(expect.arrayContaining([...kept, "bio"]));
  });

  it.each<[string, string, (column: string) => RegExp, readonly string[]]>([
    [
      "kept by a report",
      "supabase/schemas/reports/profile.sql",
      (c) => RegExp(`\\bp\\.${c}\\b`),
      [],
    ],
    [
      "cleared with a profile",
      "supabase/schemas/reports/profile.sql",
      (c) => RegExp(`\\b${c} = null`),
      kept,
    ],
    [
      "in what other members are answered",
      "supabase/schemas/people/member-profiles.sql",
      (c) => RegExp(`\\bshown\\.${c}\\b`),
      [],
    ],
    [
      "read by the app",
      "web/src/features/people/model/member.ts",
      (c) => RegExp(`\\b${c}: text`),
      names,
    ],
    [
      "shown to members",
      "web/src/features/people/pages/member-page.tsx",
      (c) => RegExp(`\\b${c}\\b`),
      names,
    ],
    [
      "shown in the queue of reports",
      "web/src/features/moderation/model/report.ts",
      (c) => RegExp(`\\bsnapshot\\.${c}\\b`),
      names,
    ],
    [
      "on the list of what members may change",
      "tests/sql/member-columns.ts",
      (c) => RegExp(`"profiles update: [^"]*\\b${c}\\b`),
      [],
    ],
  ])("is %s", (_what, path, pattern, but) => {
    const forgotten = texts.filter((c) => !but.includes(c) && !pattern(c).test(textOf(path)));
    expect(forgotten, path).toEqual([]);
  });
});
