import { useState, type ReactNode } from "react";
import { formatPence } from "@/domain/brand.ts";
import { cardName } from "@/domain/card-name.ts";
import { useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { longDate } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { requestPause, requestResume, type PauseOffer } from "../api/pause.ts";
import type { Plan } from "../model/plan.ts";
import type { Subscription } from "../model/subscription.ts";
import { usePauseOffer } from "../pause-queries.ts";
import { useSubscription } from "../queries.ts";
import { membershipStrings } from "../strings/membership.ts";
import { pauseStrings } from "../strings/pause.ts";
import { formatInterval } from "../strings/plans.ts";

/** Pausing the membership, calling a planned pause off, and coming back from one. Nothing where none of these is possible. */
export function PauseControl({
  subscription,
  plan,
}: {
  readonly subscription: Subscription;
  readonly plan: Plan | null;
}) {
  const { client } = useBackend();
  const { refreshProfile } = useSession();
  const { refresh } = useSubscription();
  const { data: offer, refetch } = usePauseOffer(subscription);
  const [problem, setProblem] = useState<string | null>(null);
  const pause = offer?.pause ?? null;
  if (offer === undefined || (pause === null && offer.choices.length === 0)) return null;

  async function run(step: () => Promise<string | null>, done: string, failed: string) {
    const error = await step();
    setProblem(error === null ? null : error || failed);
    if (error === null) toast.good(done);
    // Also after a failure: a card that was refused has ended the pause.
    await Promise.allSettled([refresh(), refetch(), refreshProfile()]);
  }

  const { resumed, calledOff, done, resumeFailed, pauseFailed } = pauseStrings;
  return (
    <Section offer={offer}>
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {pause === null ? (
        <PauseQuestion
          offer={offer}
          onPause={(months) => run(() => requestPause(client, months), done, pauseFailed)}
        />
      ) : (
        <ResumeQuestion
          hasBegun={pause.hasBegun}
          subscription={subscription}
          plan={plan}
          onResume={() =>
            run(() => requestResume(client), pause.hasBegun ? resumed : calledOff, resumeFailed)
          }
        />
      )}
    </Section>
  );
}

function Section({
  offer: { pause },
  children,
}: {
  readonly offer: PauseOffer;
  readonly children: ReactNode;
}) {
  const until = pause?.endsAt ? longDate(pause.endsAt) : null;
  const [title, text] =
    pause === null
      ? [pauseStrings.title, pauseStrings.intro]
      : pause.hasBegun
        ? [pauseStrings.pausedTitle, pauseStrings.paused(until)]
        : [pauseStrings.plannedTitle, pauseStrings.planned(longDate(pause.beginsAt), until)];
  return (
    <section
      aria-labelledby="pause"
      className="grid justify-items-start gap-3 border-t border-line pt-5"
    >
      <h3 id="pause" className="font-medium">
        {title}
      </h3>
      <p className="max-w-prose text-sm text-muted">{text}</p>
      {children}
    </section>
  );
}

function PauseQuestion({
  offer: { beginsAt, choices },
  onPause,
}: {
  readonly offer: PauseOffer;
  readonly onPause: (months: number) => Promise<void>;
}) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [months, setMonths] = useState("1");
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {pauseStrings.open}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        busy={busy}
        title={pauseStrings.ask}
        description={pauseStrings.consequence(longDate(beginsAt ?? 0))}
        confirmLabel={pauseStrings.confirm}
        cancelLabel={pauseStrings.stay}
        onConfirm={() => {
          setBusy(true);
          void onPause(Number(months)).finally(() => {
            setBusy(false);
            setAsking(false);
          });
        }}
      >
        <div className="mt-5 grid gap-4">
          <SelectField
            label={pauseStrings.length}
            options={choices.map((each) => ({
              value: String(each.months),
              label: pauseStrings.choice(each.months, longDate(each.endsAt)),
            }))}
            value={months}
            onChange={({ target }) => setMonths(target.value)}
          />
          <p className="text-sm text-muted">{pauseStrings.guarantee}</p>
        </div>
      </ConfirmDialog>
    </>
  );
}

function ResumeQuestion({
  hasBegun,
  subscription,
  plan,
  onResume,
}: {
  readonly hasBegun: boolean;
  readonly subscription: Subscription;
  readonly plan: Plan | null;
  readonly onResume: () => Promise<void>;
}) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const card = cardName(subscription.paymentMethodBrand, subscription.paymentMethodLast4);
  const price =
    plan === null
      ? pauseStrings.unknownPrice
      : `${formatPence(plan.amountPence, plan.currency)} ${formatInterval(plan.interval)}`;

  function run() {
    setBusy(true);
    void onResume().finally(() => {
      setBusy(false);
      setAsking(false);
    });
  }

  if (!hasBegun) {
    return (
      <Button variant="secondary" loading={busy} onClick={run}>
        {pauseStrings.undoPlan}
      </Button>
    );
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>{membershipStrings.resume}</Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        busy={busy}
        title={pauseStrings.resumeAsk}
        description={pauseStrings.resumeConsequence(price, card ?? pauseStrings.unknownCard)}
        confirmLabel={pauseStrings.resumeConfirm}
        cancelLabel={pauseStrings.resumeStay}
        onConfirm={run}
      />
    </>
  );
}
