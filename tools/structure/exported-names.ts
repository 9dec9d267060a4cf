import type { SourceFile } from "./source-files.ts";

/** Names that several files may export, each with the reason. */
export const sharedNames: Readonly<Record<string, string>> = {
  handle: "every edge function exports its handler under this name",
  setup: "Vitest calls this export of a global setup file",
  test: "the runner's own word, extended once for Playwright and once for the database tests",
  escapeHtml: "the host and the edge functions share no code",
  isEqualConstantTime: "host and sandbox are packages of their own",
  isUuid: "the host and the web app share no code",
  projectRoot: "the same folder, for scripts that any Node runs and for TypeScript",
};

const declarationPattern =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) ([\w$]+)/gm;

/** Files that export each name which more than one file declares. A re-export is no declaration. */
export function namesExportedTwice(files: readonly SourceFile[]): Map<string, string[]> {
  const filesOf = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    for (const [, name = ""] of text.matchAll(declarationPattern)) {
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(path));
    }
  }
  return new Map(
    [...filesOf].flatMap(([name, paths]) => (paths.size > 1 ? [[name, [...paths].sort()]] : [])),
  );
}
