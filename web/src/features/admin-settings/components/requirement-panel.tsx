import { SecondFactorNeeded } from "@/features/session/index.ts";
import { isSecondFactorDue } from "@/lib/second-factor-due.ts";
import { useState } from "react";
import { describeRequirement, type RequirementSupply } from "@/domain/requirement-supply.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { setRequirement } from "../api/level-requirement.ts";
import { overallTotal } from "../model/overall-total.ts";
import { useSaveSetting } from "../mutations.ts";
import { useRequirementPreview } from "../queries.ts";
import { levelSettingsStrings, settingsStrings } from "../strings.ts";

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
        title={settingsStrings.secondFactorTitle}
        purpose={settingsStrings.secondFactorPurpose}
      />
    );

  async function submit() {
    if (valid === null) return;
    const done = levelSettingsStrings.saved(level, describeRequirement(requirement, valid));
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
        label={levelSettingsStrings.figure}
        type="number"
        min={1}
        max={maxNeeded}
        step={1}
        value={text}
        error={valid === null ? levelSettingsStrings.figureWrong : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      {valid === null ? null : (
        <section
          aria-label={levelSettingsStrings.meaning}
          aria-live="polite"
          className="grid gap-2 text-sm"
        >
          <p>{levelSettingsStrings.total(overallTotal(all), overallTotal(after))}</p>
          {preview.data ? (
            <p>
              {levelSettingsStrings.completing(
                preview.data.members,
                preview.data.readyAfter,
                valid === needed ? null : preview.data.readyBefore,
              )}
            </p>
          ) : preview.isError ? (
            <p>{levelSettingsStrings.countFailed}</p>
          ) : (
            <p className="text-muted">{levelSettingsStrings.counting}</p>
          )}
          <p>{levelSettingsStrings.reached}</p>
        </section>
      )}
      {isOutOfReach ? (
        <Alert tone="danger" title={levelSettingsStrings.outOfReachTitle}>
          {levelSettingsStrings.outOfReach(describeRequirement(requirement, available))}
        </Alert>
      ) : null}
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <Button
        type="submit"
        className="justify-self-start"
        loading={busy}
        disabled={valid === null || valid === needed || isOutOfReach}
      >
        {levelSettingsStrings.save}
      </Button>
    </form>
  );
}
