import { useState } from "react";
import {
  setBillingRules,
  setPauseMonths,
  setPaymentGrace,
  useBillingRules,
  type BillingRules,
} from "@/features/legal/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { useSaveSetting } from "../mutations.ts";
import { billingRulesStrings } from "../strings.ts";

/** What comes back after a withdrawal, when members are told of a renewal, how long a failed payment leaves access, and how long members may pause. */
export function BillingRulesForm() {
  const { data, isError, isFetching, refetch } = useBillingRules();
  if (data !== undefined) return <Fields key={JSON.stringify(data)} rules={data} />;
  return isError ? (
    <LoadFailed
      title={billingRulesStrings.loadFailed}
      busy={isFetching}
      onRetry={() => void refetch()}
    />
  ) : (
    <Loading label={billingRulesStrings.loading}>
      <Skeleton className="h-40" />
    </Loading>
  );
}

const isPauseMonths = (text: string) => /^\d{1,2}$/.test(text.trim()) && Number(text) <= 12;
const isDays = (text: string) => /^\d{1,2}$/.test(text.trim()) && Number(text) <= 30;

function Fields({ rules }: { readonly rules: BillingRules }) {
  const { busy, issue, save } = useSaveSetting();
  const [refund, setRefund] = useState(rules.refundsInProportion ? "proportion" : "full");
  const [days, setDays] = useState(String(rules.reminderDays));
  const [grace, setGrace] = useState(String(rules.graceDays));
  const [pause, setPause] = useState(String(rules.pauseMonths));
  const [wrong, setWrong] = useState({ days: false, grace: false, pause: false });

  async function submit() {
    const found = { days: !isDays(days), grace: !isDays(grace), pause: !isPauseMonths(pause) };
    setWrong(found);
    if (found.days || found.grace || found.pause) return;
    const next = { refundsInProportion: refund === "proportion", reminderDays: Number(days) };
    await save(async (client) => {
      await setBillingRules(client, next);
      if (Number(grace) !== rules.graceDays) await setPaymentGrace(client, Number(grace));
      if (Number(pause) !== rules.pauseMonths) await setPauseMonths(client, Number(pause));
    }, billingRulesStrings.saved);
  }

  return (
    <form
      className="grid max-w-reading gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <SelectField
        label={billingRulesStrings.refund}
        hint={billingRulesStrings.refundHint}
        value={refund}
        options={[
          { value: "full", label: billingRulesStrings.full },
          { value: "proportion", label: billingRulesStrings.proportion },
        ]}
        onChange={({ target }) => setRefund(target.value)}
      />
      <TextField
        label={billingRulesStrings.days}
        hint={billingRulesStrings.daysHint}
        error={wrong.days ? billingRulesStrings.daysWrong : undefined}
        inputMode="numeric"
        value={days}
        onChange={({ target }) => setDays(target.value)}
      />
      <TextField
        label={billingRulesStrings.grace}
        hint={billingRulesStrings.graceHint}
        error={wrong.grace ? billingRulesStrings.daysWrong : undefined}
        inputMode="numeric"
        value={grace}
        onChange={({ target }) => setGrace(target.value)}
      />
      <TextField
        label={billingRulesStrings.pause}
        hint={billingRulesStrings.pauseHint}
        error={wrong.pause ? billingRulesStrings.pauseWrong : undefined}
        inputMode="numeric"
        value={pause}
        onChange={({ target }) => setPause(target.value)}
      />
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <div>
        <Button type="submit" loading={busy}>
          {billingRulesStrings.save}
        </Button>
      </div>
    </form>
  );
}
