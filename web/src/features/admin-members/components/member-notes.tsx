import { useState, type FormEvent } from "react";
import { exactTime, longDate } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { explainActionError } from "./explain-action-error.ts";
import type { MemberNote } from "../model/member-detail.ts";
import { useMemberActions } from "../mutations.ts";
import { memberNotesStrings } from "../strings.ts";
import { MemberSection } from "./member-section.tsx";

/** Notes of administrators about a member. They are only ever added. */
export function MemberNotes({
  memberId,
  notes,
}: {
  readonly memberId: string;
  readonly notes: readonly MemberNote[];
}) {
  const { addNote } = useMemberActions(memberId);
  const [text, setText] = useState("");
  const [issue, setIssue] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (text.trim() === "") {
      setIssue(memberNotesStrings.noteMissing);
      return;
    }
    setBusy(true);
    try {
      await addNote(text.trim());
      setText("");
    } catch (error) {
      console.error("The note was not added", error);
      setIssue(explainActionError(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <MemberSection title={memberNotesStrings.title}>
      <form noValidate className="grid gap-3" onSubmit={(event) => void submit(event)}>
        <TextArea
          label={memberNotesStrings.note}
          hint={memberNotesStrings.noteHint}
          rows={2}
          maxLength={2000}
          value={text}
          error={issue}
          onChange={(event) => {
            setText(event.target.value);
            setIssue(undefined);
          }}
        />
        <div>
          <Button type="submit" variant="secondary" size="sm" loading={busy}>
            {memberNotesStrings.add}
          </Button>
        </div>
      </form>
      {notes.length === 0 ? (
        <p className="text-sm text-muted">{memberNotesStrings.empty}</p>
      ) : (
        <ul aria-label={memberNotesStrings.title} className="grid gap-3 text-sm">
          {notes.map((note) => (
            <li key={note.id} className="grid gap-0.5">
              <p className="wrap-anywhere whitespace-pre-wrap">{note.note}</p>
              <p className="text-muted" title={exactTime(Date.parse(note.created_at))}>
                {note.author ?? memberNotesStrings.formerAuthor} ·{" "}
                {longDate(Date.parse(note.created_at))}
              </p>
            </li>
          ))}
        </ul>
      )}
    </MemberSection>
  );
}
