import { Handshake } from "lucide-react";
import { Link } from "react-router";
import { submissionPath } from "@/domain/paths.ts";
import { MemberName } from "@/features/people/index.ts";
import { useNow } from "@/lib/use-now.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import { daysLeft, dueText } from "./due-text.ts";
import type { ShownPact } from "../model/pact.ts";
import { pactStrings } from "../strings.ts";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { WitnessFace } from "./witness-face.tsx";

/** Under a submission: when its pact is due, who witnesses it, and the way between pact and outcome. */
export function PactLine({ pact }: { readonly pact: ShownPact }) {
  const now = useNow();
  const isPact = pact.submission_id === pact.pact_id;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control bg-sunken px-3 py-2 text-sm">
      <Handshake aria-hidden className="size-4 shrink-0 text-muted" />
      {pact.outcome === null ? null : <OutcomeBadge outcome={pact.outcome} />}
      {isPact ? (
        <span className={pact.closed_at === null ? "font-medium" : undefined}>
          {dueText(pact, now)}
          {daysLeft(pact, now)}
        </span>
      ) : (
        <span className="min-w-0">
          {pactStrings.outcomeOf}
          <Link
            to={submissionPath(pact.pact_id)}
            className="font-medium break-words underline underline-offset-4"
          >
            <bdi>{pact.title}</bdi>
          </Link>
        </span>
      )}
      {pact.witnesses.length === 0 ? null : (
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 text-muted">
          <span aria-hidden className="flex -space-x-2">
            {pact.witnesses.map((witness) => (
              <WitnessFace
                key={witness.id}
                person={witness}
                className="size-6 border-2 border-sunken text-[0.5625rem]"
              />
            ))}
          </span>
          <span>
            {pactStrings.witnessedBy}
            {pact.witnesses.map(({ id, name }, index) => (
              <span key={id}>
                {index === 0 ? null : ", "}
                <MemberName id={id} name={name || unnamedMember} className="text-ink" />
              </span>
            ))}
          </span>
        </span>
      )}
      {isPact && pact.outcome_id !== null ? (
        <Link
          to={submissionPath(pact.outcome_id)}
          className="font-medium underline underline-offset-4"
        >
          {pactStrings.readOutcome}
        </Link>
      ) : null}
    </div>
  );
}
