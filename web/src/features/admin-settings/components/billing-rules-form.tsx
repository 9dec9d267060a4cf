import { useState } from "react";
import { setBillingRules, useBillingRules, type BillingRules } from "@/features/legal/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { useSaveSetting } from "../mutations.ts";
import { billingRulesStrings } from "../strings.ts";

/** What comes back after a withdrawal, and when members are told of a renewal. */
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

function Fields({ rules }: { readonly rules: BillingRules }) {
  const { busy, issue, save } = useSaveSetting();
  const [refund, setRefund] = useState(rules.refundsInProportion ? "proportion" : "full");
  const [days, setDays] = useState(String(rules.reminderDays));
  const [wrong, setWrong] = useState(false);

  async function submit() {
    const isDays = /^\d{1,2}$/.test(days.trim()) && Number(days) <= 30;
    setWrong(!isDays);
    if (!isDays) return;
    const next = { refundsInProportion: refund === "proportion", reminderDays: Number(days) };
    await save(async (client) => await setBillingRules(client, next), billingRulesStrings.saved);
  }

  return (
    <form
      className="grid max-w-xl gap-4"
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
        error={wrong ? billingRulesStrings.daysWrong : undefined}
        inputMode="numeric"
        value={days}
        onChange={({ target }) => setDays(target.value)}
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
