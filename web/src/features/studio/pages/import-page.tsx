import { useRef, useState } from "react";
import { paths } from "@/domain/paths.ts";
import { saveFile } from "@/lib/save-file.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { ImportDrop } from "../components/import-drop.tsx";
import { ImportItemRow, type ImportOutcome } from "../components/import-item.tsx";
import {
  chosenFiles,
  readImport,
  type ChosenFile,
  type ImportItem,
  type ReadImport,
} from "../model/import-files.ts";
import { explainImportError } from "../components/explain-studio-error.ts";
import { linkPath } from "../model/import-paths.ts";
import { ImportError } from "../model/unzip.ts";
import { useImportDraft } from "../mutations.ts";
import { useStudioSubcategories } from "../queries.ts";
import { importItemStrings, importPageStrings, importRefusalText } from "../strings/import.ts";
import { noteMessageText } from "../strings/import-notes.ts";

/** `/studio/import`: Markdown files are checked as the library checks them, and become drafts. */
export function ImportPage() {
  const [reading, setReading] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [found, setFound] = useState<{ choice: number; read: ReadImport } | null>(null);
  const lastChoice = useRef(0);

  async function take(choosing: Promise<readonly ChosenFile[]>) {
    setReading(true);
    setRefusal(null);
    setFound(null);
    const choice = ++lastChoice.current;
    try {
      const read = await readImport(await chosenFiles(await choosing));
      if (choice === lastChoice.current) setFound({ choice, read });
    } catch (error) {
      console.error("The files could not be read", error);
      setRefusal(
        error instanceof ImportError
          ? importRefusalText(error.refusal)
          : importPageStrings.unreadable,
      );
    } finally {
      setReading(false);
    }
  }

  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title={importPageStrings.title}
        intro={importPageStrings.intro}
      />
      <p className="text-sm">
        <TextLink to={paths.studio}>{importPageStrings.backToStudio}</TextLink>
      </p>
      <ImportDrop busy={reading} onChosen={(files) => void take(files)} />
      {refusal === null ? null : <Alert tone="danger">{refusal}</Alert>}
      {found === null ? null : <Found key={found.choice} read={found.read} />}
    </div>
  );
}

/** A file that is left out, by its path. */
function leftOutName(path: string): string {
  const link = linkPath(path);
  return link === null ? path : importPageStrings.link(link);
}

/** Everything that was changed, as a file to keep. */
function listOf(items: readonly ImportItem[]): Blob {
  const lines = items.flatMap(({ path, changes }) => [
    path,
    ...changes.map(
      ({ line, message }) => `  ${importItemStrings.issue(line, noteMessageText(message))}`,
    ),
  ]);
  return new Blob([`${lines.join("\n")}\n`], { type: "text/plain" });
}

/** What was found in the chosen files, and the button that imports it. */
function Found({ read: { items, leftOut } }: { readonly read: ReadImport }) {
  const subcategories = useStudioSubcategories();
  const importDraft = useImportDraft();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, ImportOutcome>>(new Map());
  const [busy, setBusy] = useState(false);

  function shelfIdOf({ shelf }: ImportItem): string | null {
    const found = subcategories.data?.find(
      ({ category, slug }) => category === shelf?.category && slug === shelf.slug,
    );
    return found?.id ?? null;
  }

  /** Imports one after another, each wholly or not at all. Stops at the first that fails. */
  async function run(chosen: readonly ImportItem[], again: boolean) {
    setBusy(true);
    for (const item of chosen) {
      const outcome = await importOne(item, again);
      setOutcomes((before) => new Map(before).set(item.path, outcome));
      if (outcome.kind === "failed") break;
    }
    setBusy(false);
  }

  async function importOne(item: ImportItem, again: boolean): Promise<ImportOutcome> {
    if (item.content === null) throw new Error("A file with issues is not imported");
    const content = { ...item.content, subcategoryId: shelfIdOf(item) };
    try {
      const { draftId, isNew } = await importDraft(item, content, again);
      return { kind: isNew ? "created" : "exists", draftId };
    } catch (error) {
      console.error("The draft was not imported", error);
      return { kind: "failed", message: explainImportError(error) };
    }
  }

  if (items.length === 0) {
    return <Alert tone="warn">{importPageStrings.noMarkdown}</Alert>;
  }
  const unreadable = items.filter(({ content }) => content === null).length;
  const changed = items.filter(({ changes }) => changes.length > 0);
  const waiting = items.filter(({ content, path }) => {
    const outcome = outcomes.get(path)?.kind;
    return content !== null && (outcome === undefined || outcome === "failed");
  });
  return (
    <section aria-labelledby="found" className="grid grid-cols-1 gap-4">
      <h2 id="found" className="display text-xl">
        {importPageStrings.found} <span className="tabular text-muted">· {items.length}</span>
      </h2>
      {unreadable === 0 ? null : (
        <Alert tone="warn">{importPageStrings.toMend(unreadable, items.length)}</Alert>
      )}
      {changed.length === 0 ? null : (
        <Alert
          tone="info"
          action={
            <Button
              size="sm"
              variant="secondary"
              onClick={() => saveFile("import.txt", listOf(changed))}
            >
              {importPageStrings.saveChanges}
            </Button>
          }
        >
          {importPageStrings.changed(changed.length)}
        </Alert>
      )}
      {subcategories.isError ? (
        <Alert
          tone="danger"
          action={
            <Button size="sm" variant="secondary" onClick={() => void subcategories.refetch()}>
              {importPageStrings.tryAgain}
            </Button>
          }
        >
          {importPageStrings.subcategoriesFailed}
        </Alert>
      ) : null}
      {waiting.length === 0 ? null : (
        <div>
          <Button
            loading={busy}
            disabled={subcategories.data === undefined}
            onClick={() => void run(waiting, false)}
          >
            {importPageStrings.import(waiting.length)}
          </Button>
        </div>
      )}
      <ul className="divide-y divide-line rounded-card border border-line bg-raised">
        {items.map((item) => (
          <li key={item.path}>
            <ImportItemRow
              item={item}
              isPlaced={subcategories.data === undefined || shelfIdOf(item) !== null}
              outcome={outcomes.get(item.path)}
              busy={busy}
              onAgain={() => void run([item], true)}
            />
          </li>
        ))}
      </ul>
      {leftOut.length === 0 ? null : (
        <p className="text-sm wrap-anywhere text-muted">
          {importPageStrings.leftOut(
            leftOut.slice(0, 20).map(leftOutName).join(", "),
            leftOut.length - 20,
          )}
        </p>
      )}
    </section>
  );
}
