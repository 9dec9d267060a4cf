import { useRef, useState } from "react";
import { Link } from "react-router";
import { submissionPath } from "@/domain/paths.ts";
import { MemberName } from "@/features/people/index.ts";
import { useNow } from "@/lib/use-now.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import { useFocusAfter } from "@/ui/use-focus-after.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import { daysLeft, dueText, dueTone } from "./due-text.ts";
import { DueTile } from "./due-tile.tsx";
import type { WitnessedPact } from "../model/pact.ts";
import { useWitnessActions } from "../mutations.ts";
import { explainPactError, witnessStrings } from "../strings.ts";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { pactSectionId } from "./pact-section.tsx";
import { WitnessFace } from "./witness-face.tsx";

/** A pact of another member: to be answered, or witnessed. */
export function WitnessedPactCard({ pact }: { readonly pact: WitnessedPact }) {
  const now = useNow();
  const { answer } = useWitnessActions();
  const [busy, setBusy] = useState<"accept" | "decline" | null>(null);
  const [leaving, setLeaving] = useState(false);
  const accepted = useRef(false);
  const card = useFocusAfter<HTMLDivElement>(() =>
    document.getElementById(pactSectionId(accepted.current ? "witnessing" : "asked")),
  );
  const isOpen = pact.closed_at === null;
  const name = pact.author.name || unnamedMember;

  async function say(accepts: boolean) {
    setBusy(accepts ? "accept" : "decline");
    accepted.current = accepts;
    try {
      await answer(pact.id, accepts);
      toast.good(
        accepts
          ? witnessStrings.acceptDone
          : pact.accepted
            ? witnessStrings.stepBackDone
            : witnessStrings.declineDone,
      );
    } catch (error) {
      console.error("The answer was not saved", error);
      toast.danger(`${witnessStrings.answerFailed} ${explainPactError(error)}`);
    }
    setBusy(null);
    setLeaving(false);
  }

  return (
    <Card ref={card} className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-4">
        <DueTile day={pact.due_on} tone={dueTone(pact)} />
        <div className="grid content-start gap-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            {pact.outcome === null ? null : <OutcomeBadge outcome={pact.outcome} />}
            <span className="flex min-w-0 items-center gap-2">
              <WitnessFace person={pact.author} className="size-6 text-[0.5625rem]" />
              <MemberName id={pact.author.id} name={name} className="font-medium text-ink" />
            </span>
            <span className={pact.is_overdue ? "font-medium text-danger" : undefined}>
              {dueText(pact, now)}
              {daysLeft(pact, now)}
            </span>
          </div>
          <h3 className="display text-xl">
            <Link
              to={submissionPath(pact.outcome_id ?? pact.id)}
              className="break-words underline-offset-4 hover:underline"
            >
              <bdi>{pact.title}</bdi>
            </Link>
          </h3>
        </div>
      </div>
      {!isOpen ? null : pact.accepted ? (
        <div>
          <Button variant="secondary" onClick={() => setLeaving(true)}>
            {witnessStrings.stepBack}
          </Button>
        </div>
      ) : (
        <div className="grid gap-3">
          <p>{witnessStrings.asksYou(name)}</p>
          <div className="flex flex-wrap gap-3">
            <Button
              loading={busy === "accept"}
              disabled={busy !== null}
              onClick={() => void say(true)}
            >
              {witnessStrings.accept}
            </Button>
            <Button
              variant="secondary"
              loading={busy === "decline"}
              disabled={busy !== null}
              onClick={() => void say(false)}
            >
              {witnessStrings.decline}
            </Button>
          </div>
        </div>
      )}
      <ConfirmDialog
        open={leaving}
        onOpenChange={setLeaving}
        title={witnessStrings.stepBackQuestion}
        description={witnessStrings.stepBackText}
        confirmLabel={witnessStrings.stepBack}
        cancelLabel={witnessStrings.stay}
        busy={busy !== null}
        onConfirm={() => void say(false)}
      />
    </Card>
  );
}
