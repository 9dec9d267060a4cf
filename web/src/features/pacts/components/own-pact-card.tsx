import { useState } from "react";
import { Link } from "react-router";
import { outcomePath, submissionPath } from "@/domain/paths.ts";
import { MemberName } from "@/features/people/index.ts";
import { useNow } from "@/lib/use-now.ts";
import { Alert } from "@/ui/alert.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { daysLeft, dueText, dueTone } from "./due-text.ts";
import { DueTile } from "./due-tile.tsx";
import { openPlaces, type OwnPact } from "../model/pact.ts";
import { useWitnessActions } from "../mutations.ts";
import { explainPactError, pactStrings, witnessStateNames, witnessStrings } from "../strings.ts";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { WitnessFace } from "./witness-face.tsx";
import { WitnessPicker, type ChosenWitness } from "./witness-picker.tsx";

/** One of the member's own pacts, with its witnesses and what can be done. */
export function OwnPactCard({ pact }: { readonly pact: OwnPact }) {
  const now = useNow();
  const [asking, setAsking] = useState(false);
  const isOpen = pact.closed_at === null;
  const places = openPlaces(pact.witnesses);
  return (
    <Card className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-4">
        <DueTile day={pact.due_on} tone={dueTone(pact)} />
        <div className="grid content-start gap-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            {pact.outcome === null ? null : <OutcomeBadge outcome={pact.outcome} />}
            <span className={pact.is_overdue ? "font-medium text-danger" : undefined}>
              {dueText(pact, now)}
              {daysLeft(pact, now)}
            </span>
          </div>
          <h3 className="display text-xl">
            <Link
              to={submissionPath(pact.id)}
              className="break-words underline-offset-4 hover:underline"
            >
              <bdi>{pact.title}</bdi>
            </Link>
          </h3>
        </div>
      </div>
      {pact.witnesses.length === 0 ? null : (
        <ul
          aria-label={witnessStrings.witnesses}
          className="flex flex-wrap gap-x-6 gap-y-3 text-sm"
        >
          {pact.witnesses.map((witness) => (
            <li key={witness.id} className="flex min-w-0 flex-wrap items-center gap-2">
              <WitnessFace person={witness} />
              <MemberName id={witness.id} name={witness.name} className="break-words" />
              <Badge colour={witness.state === "accepted" ? "good" : "plain"}>
                {witnessStateNames[witness.state]}
              </Badge>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {isOpen ? (
          <Button asChild>
            <Link to={outcomePath(pact.id)}>{pactStrings.record}</Link>
          </Button>
        ) : null}
        {isOpen && !pact.is_overdue && places > 0 ? (
          <Button variant="secondary" onClick={() => setAsking(true)}>
            {pact.witnesses.length === 0 ? witnessStrings.ask : witnessStrings.askAnother}
          </Button>
        ) : null}
        {pact.outcome_id === null ? null : (
          <Button asChild variant="secondary">
            <Link to={submissionPath(pact.outcome_id)}>{pactStrings.readOutcome}</Link>
          </Button>
        )}
      </div>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={witnessStrings.ask}
        description={witnessStrings.askText}
      >
        <AskForm pact={pact} places={places} onAsked={() => setAsking(false)} />
      </Dialog>
    </Card>
  );
}

function AskForm({
  pact,
  places,
  onAsked,
}: {
  readonly pact: OwnPact;
  readonly places: number;
  readonly onAsked: () => void;
}) {
  const { ask } = useWitnessActions();
  const [chosen, setChosen] = useState<readonly ChosenWitness[]>([]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function send() {
    setBusy(true);
    setFailure(null);
    try {
      await ask(
        pact.id,
        chosen.map(({ id }) => id),
      );
      onAsked();
    } catch (error) {
      console.error("The witnesses were not asked", error);
      setFailure(`${witnessStrings.askFailed} ${explainPactError(error)}`);
    }
    setBusy(false);
  }

  return (
    <div className="grid grid-cols-1 gap-4">
      <WitnessPicker
        chosen={chosen}
        places={places}
        leftOut={pact.witnesses.map(({ id }) => id)}
        disabled={busy}
        onChange={setChosen}
      />
      {failure === null ? null : <Alert tone="danger">{failure}</Alert>}
      <div>
        <Button loading={busy} disabled={chosen.length === 0} onClick={() => void send()}>
          {witnessStrings.askSend}
        </Button>
      </div>
    </div>
  );
}
