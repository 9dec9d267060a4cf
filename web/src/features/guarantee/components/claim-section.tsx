import { formatPence } from "@/domain/brand.ts";
import { guaranteeLineNames } from "@/domain/guarantee-terms.ts";
import { formatCount } from "@/lib/format-count.ts";
import { longDate } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Alert } from "@/ui/alert.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { GuaranteeClaim } from "../model/guarantee-claim.ts";
import type {
  GuaranteeBaseline,
  GuaranteeLine,
  GuaranteeRecord,
} from "../model/guarantee-record.ts";
import { useGuaranteeClaim } from "../queries.ts";
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
        title="We couldn't load your claim"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading label="Loading your claim">
        <Skeleton className="h-20 rounded-card" />
      </Loading>
    );
  }
  if (now >= baseline.claimUntil) {
    return (
      <p className="max-w-[68ch] text-muted">
        Your {record.months} months are over, and so is the time for a claim, which ended{" "}
        {longDate(baseline.claimUntil)}.
      </p>
    );
  }
  return (
    <div className="grid gap-5">
      <p className="max-w-[68ch] text-muted">
        Your {record.months} months are over. If you earn less than{" "}
        {formatPence(baseline.targetPence)} a month and every line above is met, you can claim until{" "}
        {longDate(baseline.claimUntil)}. A claim is made once.
      </p>
      <ClaimForm />
    </div>
  );
}

const outcomes = {
  filed: [
    "info",
    "Your claim waits for a decision",
    "Every line is met. A person decides now, and you read the reason here.",
  ],
  appealed: [
    "info",
    "Your appeal waits for a decision",
    "Someone who hasn't decided before reads it. You read the answer here.",
  ],
  granted: [
    "good",
    "Your claim was granted",
    "We refund every payment to the card it came from, and your membership continues without charge.",
  ],
  declined: ["warn", "Your claim was declined", null],
  refused: ["warn", "Your appeal was turned down", "This decision is final."],
} as const;

function ClaimOutcome({ claim, now }: { readonly claim: GuaranteeClaim; readonly now: number }) {
  const [tone, title, text] = outcomes[claim.state];
  const missed = claim.lines.filter(({ met }) => !met);
  const { appealUntil } = claim;
  return (
    <div className="grid gap-5">
      <Alert tone={tone} title={title}>
        {text === null ? null : <p>{text}</p>}
        {missed.length === 0 ? null : (
          <ul className="grid gap-1">
            {missed.map((line) => (
              <li key={line.line}>Not met: {describeLine(line)}</li>
            ))}
          </ul>
        )}
        {claim.reason === null ? null : <p>Reason: {claim.reason}</p>}
      </Alert>
      {claim.state === "declined" && appealUntil !== null && now < appealUntil ? (
        <AppealForm until={appealUntil} />
      ) : null}
    </div>
  );
}

function describeLine({ line, needed, held }: GuaranteeLine): string {
  const name = guaranteeLineNames[line];
  return line === "income"
    ? `${name} (${formatPence(held)}, and the aim is ${formatPence(needed)})`
    : `${name} (${formatCount(held)} of ${formatCount(needed)})`;
}
