import { useState } from "react";
import { setPaymentElement, useBillingRules } from "@/features/legal/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { useSaveSetting } from "../mutations.ts";
import { paymentFormStrings } from "../strings.ts";

/** Whether members can pay with Apple Pay, Google Pay and Link. */
export function PaymentFormSetting() {
  const { data, isError, isFetching, refetch } = useBillingRules();
  return (
    <section aria-labelledby="payment-form" className="grid max-w-prose gap-3">
      <h2 id="payment-form" className="text-lg font-medium">
        {paymentFormStrings.title}
      </h2>
      {data !== undefined ? (
        <Choice key={String(data.paymentElement)} saved={data.paymentElement} />
      ) : isError ? (
        <LoadFailed
          title={paymentFormStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={paymentFormStrings.loading}>
          <Skeleton className="h-24" />
        </Loading>
      )}
    </section>
  );
}

function Choice({ saved }: { readonly saved: boolean }) {
  const { busy, issue, save } = useSaveSetting();
  const [enabled, setEnabled] = useState(saved);
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save(
          (client) => setPaymentElement(client, enabled),
          enabled ? paymentFormStrings.turnedOn : paymentFormStrings.turnedOff,
        );
      }}
    >
      <CheckboxField
        label={paymentFormStrings.wallets}
        hint={paymentFormStrings.hint}
        checked={enabled}
        disabled={busy}
        onChange={({ target }) => setEnabled(target.checked)}
      />
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <div>
        <Button type="submit" variant="secondary" loading={busy}>
          {paymentFormStrings.save}
        </Button>
      </div>
    </form>
  );
}
