import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as saving from "@/lib/save-file.ts";
import { openStudio } from "./testing/studio-screen.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const choose = async (files: Readonly<Record<string, string>>) =>
  userEvent.setup({ applyAccept: false }).upload(
    await screen.findByLabelText("Files to import"),
    Object.entries(files).map(([name, text]) => new File([text], name)),
  );

describe("/studio/import", () => {
  it("makes a draft of a note, and tells what was changed, to keep it", async () => {
    const save = vi.spyOn(saving, "saveFile").mockImplementation(() => {});
    const { server } = openStudio("/studio/import");
    await choose({
      "My plan.md":
        "---\ndate: 2024-03-01\ntags: [Plans, 2024]\n---\n# My plan\n\nSee [[Other]].\n",
      "broken.md": "# Broken\n\n![Boats](gone.png)\n",
    });
    const changed = await screen.findByRole("list", {
      name: "Changed in My plan.md",
      hidden: true,
    });
    const lines = within(changed).getAllByRole("listitem", { hidden: true });
    expect(lines.map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([
        "Line 2: `date` has no place in a draft, so it's only listed here: 2024-03-01",
        expect.stringMatching(/^Line 7: The link to “Other” became plain words/),
      ]),
    );
    const toFix = screen.getByRole("list", { name: "To fix in broken.md" });
    expect(toFix).toHaveTextContent("Line 3: There is no picture `gone.png` in this import.");
    expect(toFix).toHaveTextContent("![Boats](gone.png)");
    expect(screen.getByText(/^1 of 2 can't be imported yet/)).toBeVisible();

    await userEvent.click(screen.getByRole("button", { name: "Save the list" }));
    const [[name, list] = []] = save.mock.calls;
    expect(name).toBe("import.txt");
    expect(await list?.text()).toContain("My plan.md\n  Line 2: `date` has no place");

    await userEvent.click(screen.getByRole("button", { name: "Import 1 draft" }));
    expect(await screen.findByText("Imported.")).toBeVisible();
    expect(server.imports).toMatchObject([
      { title: "My plan", slug: "my-plan", tags: ["plans", "2024"], content: "See Other." },
    ]);
  });

  it("says why an archive is not read", async () => {
    openStudio("/studio/import");
    await choose({ "mine.zip": "Rar!" });
    expect(await screen.findByText(/^This file isn't a zip archive/)).toBeVisible();
  });
});
