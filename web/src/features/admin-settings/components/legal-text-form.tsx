import { useDeferredValue, useState } from "react";
import { publishLegalText, useLegalText, type LegalKind } from "@/features/legal/index.ts";
import { ReadingText } from "@/features/library/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { useSaveSetting } from "../mutations.ts";
import { legalSettingsStrings } from "../strings.ts";

/** Writes the next version of a legal text, beside what members will read. */
export function LegalTextForm({
  kind,
  onDone,
}: {
  readonly kind: LegalKind;
  readonly onDone: () => void;
}) {
  const { data } = useLegalText(kind);
  if (!data) return <Skeleton className="h-96" />;
  return <Editor key={data.version} kind={kind} current={data.body} onDone={onDone} />;
}

function Editor({
  kind,
  current,
  onDone,
}: {
  readonly kind: LegalKind;
  readonly current: string;
  readonly onDone: () => void;
}) {
  const { busy, issue, save } = useSaveSetting();
  const [body, setBody] = useState(current.trim());
  const [summary, setSummary] = useState("");
  const [isMissing, setMissing] = useState(false);
  const [asking, setAsking] = useState(false);
  const shown = useDeferredValue(body);
  const isChanged = body.trim() !== current.trim();

  async function publish() {
    const published = await save(async (client) => {
      await publishLegalText(client, kind, body, summary);
    }, legalSettingsStrings.published);
    setAsking(false);
    if (published) onDone();
  }

  return (
    <form
      className="grid grid-cols-1 gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (summary.trim() === "") setMissing(true);
        else setAsking(true);
      }}
    >
      <TextArea
        label={legalSettingsStrings.body}
        rows={16}
        maxLength={50_000}
        value={body}
        onChange={(event) => setBody(event.target.value)}
      />
      <TextField
        label={legalSettingsStrings.summary}
        hint={legalSettingsStrings.summaryHint}
        maxLength={300}
        value={summary}
        error={isMissing ? legalSettingsStrings.summaryMissing : undefined}
        onChange={(event) => {
          setSummary(event.target.value);
          setMissing(false);
        }}
      />
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <div>
        <Button type="submit" loading={busy} disabled={!isChanged}>
          {legalSettingsStrings.publish}
        </Button>
      </div>
      <section aria-label={legalSettingsStrings.preview} className="border-t border-line pt-4">
        <h3 className="mb-3 font-medium">{legalSettingsStrings.preview}</h3>
        <ReadingText markdown={shown} />
      </section>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        busy={busy}
        title={legalSettingsStrings.ask}
        description={legalSettingsStrings.consequence}
        confirmLabel={legalSettingsStrings.publish}
        cancelLabel={legalSettingsStrings.keepEditing}
        onConfirm={() => void publish()}
      />
    </form>
  );
}
