import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { formatPence } from "@/domain/brand.ts";
import { parsePounds } from "@/domain/parse-pounds.ts";
import { useBackend } from "@/lib/backend.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { newId } from "@/lib/uuid.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import type { PlanOverview } from "../api/fetch-plan-overview.ts";
import { addPlanPrice, retirePlanPrice } from "../api/plan-prices.ts";
import { describeSettingError, planPriceRefusals, planPriceStrings } from "../strings.ts";

/** What is to be done about a plan's prices: another one per month or year, or none per year any more. */
export type PriceTask = "month" | "year" | "retire";

const [leastPence, mostPence] = [100, 10_000_000];

/** Changes what a plan is sold for, and says beforehand what happens to whom. */
export function PriceDialog({
  plan,
  task,
  onClose,
}: {
  readonly plan: PlanOverview;
  readonly task: PriceTask;
  readonly onClose: () => void;
}) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // One id for one price, so that repeating it after a lost answer doesn't make two.
  const [requestId, setRequestId] = useState(newId);
  const interval = task === "month" ? "month" : "year";
  const former = plan.prices.find((each) => each.interval === interval && each.retiredAt === null);
  const found = parsePounds(text);
  const pence = found !== null && found >= leastPence && found <= mostPence ? found : null;
  const shown = pence === null ? null : formatPence(pence, plan.currency);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    const why = reason.trim();
    if (busy || why === "" || (task !== "retire" && pence === null)) return;
    setBusy(true);
    setProblem(null);
    try {
      const refusal =
        task === "retire"
          ? await retirePlanPrice(client, former?.priceId ?? "", why)
          : await addPlanPrice(client, {
              requestId,
              planId: plan.id,
              interval,
              pence: pence ?? 0,
              reason: why,
            });
      if (refusal === null) {
        toast.good(
          shown === null ? planPriceStrings.retired : planPriceStrings.added(shown, interval),
        );
        void queries.invalidateQueries();
        onClose();
        return;
      }
      setProblem(refusalText(refusal, planPriceRefusals));
    } catch (error) {
      setProblem(describeSettingError(error));
    }
    setBusy(false);
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={planPriceStrings.title(plan.name, task, former !== undefined)}
    >
      <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        {task === "retire" ? null : (
          <TextField
            label={planPriceStrings.amount(interval)}
            hint={planPriceStrings.amountHint}
            inputMode="decimal"
            autoComplete="off"
            value={text}
            error={isChecked && pence === null ? planPriceStrings.amountWrong : undefined}
            onChange={(event) => {
              setText(event.target.value);
              setRequestId(newId());
            }}
          />
        )}
        <section aria-label={planPriceStrings.meaning} className="grid gap-2 text-sm">
          <p>{planPriceStrings.newMembers(task, shown)}</p>
          {former === undefined ? null : <p>{planPriceStrings.keep(former.members)}</p>}
          {task === "month" ? <p>{planPriceStrings.frontPage}</p> : null}
          {task === "year" && former === undefined ? <p>{planPriceStrings.terms}</p> : null}
        </section>
        <TextArea
          label={planPriceStrings.reason}
          hint={planPriceStrings.reasonHint}
          rows={2}
          maxLength={500}
          value={reason}
          error={isChecked && reason.trim() === "" ? planPriceStrings.reasonMissing : undefined}
          onChange={(event) => setReason(event.target.value)}
        />
        {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" loading={busy}>
            {planPriceStrings.confirm(task, shown)}
          </Button>
          <Button variant="quiet" disabled={busy} onClick={onClose}>
            {planPriceStrings.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
