import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describeIssue } from "../../web/src/domain/library-files/library.ts";
import { readLibrary } from "./read-library.ts";

/** Files by path below the folder. A null file is left out. */
export type Files = Readonly<Record<string, string | null>>;

const article = (title: string, order: number) => `---
title: ${title}
excerpt: One sentence about it.
tags: [memory, study]
order: ${order}
---
The first paragraph.

## A heading

With [a source](https://example.org/paper).
`;

const lesson = (title: string) => `---
title: ${title}
minutes: 20
---
The lesson.

## Exercise

Do it.
`;

/** A small library without issues. */
export const validFiles: Files = {
  "general/learning/_subcategory.md": `---
name: Learning
description: How to learn.
color: "#6D4BC3"
icon: brain
order: 1
---
`,
  "general/learning/close-the-book.md": article("Close the Book", 1),
  "general/learning/open-the-book.md": article("Open the Book", 2),
  "general/learning/courses/study/_course.md": `---
title: Study
description: Five hours well spent.
difficulty: beginner
price: 49.50
featured: true
order: 1
---
`,
  "general/learning/courses/study/01-begin.md": lesson("Begin"),
  "general/learning/courses/study/02-go-on.md": lesson("Go on"),
  "wealth/saving/_subcategory.md": `---
name: Saving
description: How to keep it.
color: "#1d4ed8"
icon: piggy-bank
order: 1
---
`,
  "wealth/saving/first-hundred.md": article("The First Hundred", 1),
};

/** Writes the valid library with changed files, runs `work` on the folder, and removes it. */
export async function withLibrary<T>(
  changes: Files,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "fourfold-library-"));
  try {
    for (const [path, text] of Object.entries({ ...validFiles, ...changes })) {
      if (text === null) continue;
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The issues of the valid library with changed files. */
export async function issuesOf(changes: Files): Promise<string[]> {
  return await withLibrary(changes, async (folder) =>
    (await readLibrary(folder)).issues.map(describeIssue),
  );
}

/** One file of the valid library with one replacement. */
export function withChange(path: string, from: string | RegExp, to: string): Files {
  const text = validFiles[path] ?? "";
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`${path} does not hold ${String(from)}`);
  return { [path]: changed };
}
