import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { messageOf } from "@/lib/errors.ts";
import { saveFile } from "@/lib/save-file.ts";
import { Button } from "@/ui/button.tsx";
import { toast } from "@/ui/toast.tsx";
import {
  exportPayments,
  isNarrowed,
  type ExportedPayment,
  type PaymentFilters,
} from "../api/fetch-payments.ts";
import { csvPounds, toCsv } from "@/lib/csv.ts";
import { exportPaymentsStrings } from "../strings/payments.ts";

function lineOf({ payment, vat }: ExportedPayment): (string | null)[] {
  return [
    payment.id,
    new Date(payment.paidAt).toISOString(),
    payment.payer.name,
    payment.payer.email,
    payment.invoiceNumber,
    payment.state,
    csvPounds(payment.amountPence),
    csvPounds(payment.refundedPence),
    payment.currency,
    ...(vat === null
      ? [null, null, null, null]
      : [
          vat.invoice,
          String(vat.rateBasisPoints / 100),
          csvPounds(vat.pence),
          csvPounds(vat.leftPence),
        ]),
  ];
}

/** Saves the payments of the chosen period that match the search and the state as a CSV file. */
export function ExportPayments({ filters }: { readonly filters: PaymentFilters }) {
  const { since, until } = filters;
  const { client } = useBackend();
  const [busy, setBusy] = useState(false);

  async function save() {
    if (since === "" || until === "") {
      toast.info(exportPaymentsStrings.periodMissing);
      return;
    }
    setBusy(true);
    try {
      const payments = await exportPayments(client, filters);
      // The mark tells spreadsheets that the text is UTF-8.
      const file = new Blob(
        ["\uFEFF", toCsv(exportPaymentsStrings.headings, payments.map(lineOf))],
        { type: "text/csv;charset=utf-8" },
      );
      saveFile(`payments-${since}-${until}${isNarrowed(filters) ? "-filtered" : ""}.csv`, file);
    } catch (error) {
      toast.danger(messageOf(error, exportPaymentsStrings.failed));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button variant="secondary" loading={busy} onClick={() => void save()}>
      {exportPaymentsStrings.save}
    </Button>
  );
}
