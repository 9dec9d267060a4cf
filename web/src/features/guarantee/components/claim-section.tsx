import { formatPence } from "@/domain/brand.ts";
import { lastDayInLondon } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Alert } from "@/ui/alert.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { ClaimState, GuaranteeClaim } from "../model/guarantee-claim.ts";
import type { GuaranteeBaseline, GuaranteeRecord } from "../model/guarantee-record.ts";
import { useGuaranteeClaim } from "../queries.ts";
import { claimOutcomes, claimStrings } from "../strings.ts";
import { AppealForm, ClaimForm } from "./claim-forms.tsx";

export interface ClaimSectionProps {
  readonly record: GuaranteeRecord;
  readonly baseline: GuaranteeBaseline;
}

/** After the months: the claim form while it is open, or what became of the claim. */
export function ClaimSection({ record, baseline }: ClaimSectionProps) {
  const { data: claim, isError, isFetching, refetch } = useGuaranteeClaim();
  const now = useNow();
  if (claim) return <ClaimOutcome claim={claim} now={now} />;
  if (claim === undefined) {
    return isError ? (
      <LoadFailed
        title={claimStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading label={claimStrings.loading}>
        <Skeleton className="h-20 rounded-card" />
      </Loading>
    );
  }
  if (now >= baseline.claimUntil) {
    return (
      <p className="max-w-prose text-muted">
        {claimStrings.tooLate(record.months, lastDayInLondon(baseline.claimUntil))}
      </p>
    );
  }
  return (
    <div className="grid gap-5">
      <p className="max-w-prose text-muted">
        {claimStrings.open(
          record.months,
          formatPence(baseline.targetPence),
          lastDayInLondon(baseline.claimUntil),
        )}
      </p>
      <ClaimForm />
    </div>
  );
}

const tones = {
  filed: "info",
  appealed: "info",
  granted: "good",
  declined: "warn",
  refused: "warn",
} as const satisfies Record<ClaimState, string>;

function ClaimOutcome({ claim, now }: { readonly claim: GuaranteeClaim; readonly now: number }) {
  const outcome = claimOutcomes[claim.state];
  const missed = claim.lines.filter(({ met }) => !met);
  const { appealUntil } = claim;
  return (
    <div className="grid gap-5">
      <Alert tone={tones[claim.state]} title={outcome.title}>
        {outcome.text === null ? null : <p>{outcome.text}</p>}
        {missed.length === 0 ? null : (
          <ul className="grid gap-1">
            {missed.map((line) => (
              <li key={line.line}>{claimStrings.notMet(line)}</li>
            ))}
          </ul>
        )}
        {claim.reason === null ? null : <p>{claimStrings.reason(claim.reason)}</p>}
      </Alert>
      {claim.state === "declined" && appealUntil !== null && now < appealUntil ? (
        <AppealForm until={appealUntil} />
      ) : null}
    </div>
  );
}
