import { useState } from "react";
import { useVatSetting } from "@/features/legal/index.ts";
import { messageOf } from "@/lib/errors.ts";
import { useSave } from "@/lib/use-save.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { setBuyerDetails } from "../api/vat-documents.ts";
import type { BuyerDetails } from "../model/vat-document.ts";
import { useBuyerDetails } from "../queries.ts";
import { buyerDetailsStrings } from "../strings/vat.ts";

/** What a business wants on its VAT invoices; nothing while no VAT is charged. */
export function BuyerDetailsForm() {
  const { data: vat } = useVatSetting();
  const isCharged = vat !== undefined && vat.mode !== "none";
  const { data } = useBuyerDetails({ enabled: isCharged });
  if (!isCharged || data === undefined) return null;
  return (
    <details className="group">
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium underline underline-offset-4">
        {buyerDetailsStrings.open}
      </summary>
      <Fields key={JSON.stringify(data)} details={data} />
    </details>
  );
}

function Fields({ details }: { readonly details: BuyerDetails }) {
  const { busy, issue, save } = useSave({
    describeError: (error) => messageOf(error, buyerDetailsStrings.failed),
    onSaved: toast.good,
  });
  const [typed, setTyped] = useState(details);
  const field = (name: keyof BuyerDetails, maxLength: number) => ({
    label: buyerDetailsStrings[name],
    value: typed[name],
    maxLength,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setTyped((before) => ({ ...before, [name]: target.value })),
  });

  async function submit() {
    await save(async (client) => await setBuyerDetails(client, typed), buyerDetailsStrings.saved);
  }

  return (
    <form
      className="grid max-w-reading gap-4 pt-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="text-sm text-muted">{buyerDetailsStrings.intro}</p>
      <TextField {...field("businessName", 200)} autoComplete="organization" />
      <TextArea {...field("address", 500)} rows={3} />
      <TextField {...field("vatNumber", 40)} />
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <div>
        <Button type="submit" variant="secondary" loading={busy}>
          {buyerDetailsStrings.save}
        </Button>
      </div>
    </form>
  );
}
