import { describe, expect, it } from "vitest";
import { strayTexts } from "./interface-texts.ts";
import { sourceFiles } from "./source-files.ts";

/** Where interface texts stand, and what shows none to a member. Titles of pages stand in the tables of routes. */
const exempt =
  /\/strings(\.ts$|\/)|\/testing\/|\.test\.tsx?$|^web\/src\/app\/(admin-|bought-)?routes\.tsx?$/;

describe("interface texts", () => {
  it("stand in the strings.ts of their feature", () => {
    const files = sourceFiles([".ts", ".tsx"]).filter(
      ({ path }) => /^web\/src\/(app|features)\//.test(path) && !exempt.test(path),
    );
    expect(files.length).toBeGreaterThan(500);
    const stray = files.flatMap(strayTexts);
    expect(stray.map(({ path, line, text }) => `${path}:${line} ${text}`)).toEqual([]);
  });

  it.each([
    ["<p>Saved</p>", "Saved"],
    ["<p>\n  Your work\n  is safe {now}\n</p>", "Your work is safe"],
    ['<Button label="Save" />', "Save"],
    ['<Dialog title={kind === "new" ? "A new draft" : name} />', "A new draft"],
    ["<p>{`Removed ${name}.`}</p>", "Removed …."],
    ['toast.success("The room was closed.")', "The room was closed."],
    ['z.string().min(1, "Name the device.")', "Name the device."],
    ['const columns = [{ id: "name", header: "x", label: "Name" }]', "Name"],
    ['const reasons = { FF300: "Wait a moment." }', "Wait a moment."],
  ])("are found in %s", (text, expected) => {
    const source = text.startsWith("<") ? `const x = ${text};` : `${text};`;
    const [found, ...others] = strayTexts({ path: "a.tsx", text: source });
    expect(found?.text).toBe(expected);
    expect(others).toEqual([]);
  });

  it.each([
    "<p>{strings.saved}</p>",
    "<p>{count} / {all}</p>",
    '<div className="grid Gap 4" data-accent="A b c" />',
    'throw new Error("The session was used outside its provider.");',
    'console.error("The message was not sent", error);',
    'import { x } from "Some Thing.";',
    'type Kind = "Not a text";',
    'const path = "/chats/general";',
    'const queryKey = ["chat-draft", userId];',
    "const headers = { authorization: `Bearer ${token}` };",
    'const style = { fontFamily: "Inter, system-ui, sans-serif" };',
    '<button aria-keyshortcuts="Control+K Meta+K" />',
    "<path d={`M${x} ${y}H${right}Z`} />",
  ])("are not found in %s", (text) => {
    const source = text.startsWith("<") ? `const x = ${text};` : text;
    expect(strayTexts({ path: "a.tsx", text: source })).toEqual([]);
  });

  it("are named by their line", () => {
    const text = "const a = 1;\n\nconst b = <p>Saved</p>;\n";
    expect(strayTexts({ path: "a.tsx", text })).toEqual([
      { path: "a.tsx", line: 3, text: "Saved" },
    ]);
    expect(() => strayTexts({ path: "a.ts", text: "const const" })).toThrow(/cannot be read/);
  });
});
