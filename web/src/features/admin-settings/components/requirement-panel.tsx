import { SecondFactorNeeded } from "@/features/session/index.ts";
import { isSecondFactorDue } from "@/lib/second-factor-due.ts";
import { useState } from "react";
import { describeRequirement, type RequirementSupply } from "@/domain/requirement-supply.ts";
import { formatCount, pluralise } from "@/lib/format-count.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { setRequirement } from "../api/level-requirement.ts";
import { overallTotal } from "../model/overall-total.ts";
import { useSaveSetting } from "../mutations.ts";
import { useRequirementPreview } from "../queries.ts";

const maxNeeded = 10_000;

/** Changes one figure of a level, and says beforehand what it means. */
export function RequirementPanel({
  requirement,
  all,
  onDone,
}: {
  readonly requirement: RequirementSupply;
  readonly all: readonly RequirementSupply[];
  readonly onDone: () => void;
}) {
  const { level, kind, needed, available } = requirement;
  const { busy, issue, save } = useSaveSetting();
  const [text, setText] = useState(String(needed));
  const figure = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  const valid = figure >= 1 && figure <= maxNeeded ? figure : null;
  const preview = useRequirementPreview(level, kind, valid);
  if (preview.isError && isSecondFactorDue(preview.error))
    return (
      <SecondFactorNeeded
        title="These settings need a second factor"
        purpose="change what members reach or read"
      />
    );

  async function submit() {
    if (valid === null) return;
    const done = `Level ${level} now asks for ${describeRequirement(requirement, valid)}.`;
    if (await save((client) => setRequirement(client, level, kind, valid), done)) onDone();
  }

  const isOutOfReach = available !== null && valid !== null && valid > available;
  const after = all.map((row) => (row === requirement ? { ...row, needed: valid ?? needed } : row));
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label="How many"
        type="number"
        min={1}
        max={maxNeeded}
        step={1}
        value={text}
        error={valid === null ? "Enter a whole number from 1 to 10,000." : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      {valid === null ? null : (
        <section aria-label="What it means" aria-live="polite" className="grid gap-2 text-sm">
          <p>{describeTotal(overallTotal(all), overallTotal(after))}</p>
          {preview.data ? (
            <p>
              {pluralise(preview.data.members, "member")} at this level.{" "}
              {formatCount(preview.data.readyAfter)} would complete it with their next action
              {valid === needed ? "" : ` (${formatCount(preview.data.readyBefore)} today)`}.
            </p>
          ) : preview.isError ? (
            <p>We couldn't count the members it concerns. You can still save.</p>
          ) : (
            <p className="text-muted">Counting members…</p>
          )}
          <p>Nobody loses a level they have reached.</p>
        </section>
      )}
      {isOutOfReach ? (
        <Alert tone="danger" title="Members couldn't complete this level">
          There are only {describeRequirement(requirement, available)}. Ask for fewer, or add more
          first.
        </Alert>
      ) : null}
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <Button
        type="submit"
        className="justify-self-start"
        loading={busy}
        disabled={valid === null || valid === needed || isOutOfReach}
      >
        Save requirement
      </Button>
    </form>
  );
}

function describeTotal(before: number, after: number): string {
  return before === after
    ? `The overall total stays ${formatCount(before)}.`
    : `The overall total goes from ${formatCount(before)} to ${formatCount(after)}.`;
}
