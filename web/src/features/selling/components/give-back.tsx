import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { useBackend } from "@/lib/backend.tsx";
import { callFunction, textOf } from "@/lib/call-function.ts";
import { lastDayInLondon } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import type { Purchase } from "../model/purchase.ts";
import { usePurchases } from "../queries.ts";
import { giveBackStrings } from "../strings.ts";

/** The right to give a course back, for as long as there is one: says until when, and does it in two clicks. */
export function GiveBack({ purchase }: { readonly purchase: Purchase }) {
  const { client } = useBackend();
  const { refetch } = usePurchases();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { right } = purchase;
  if (right === null && problem === null) return null;
  const amount = right === null ? "" : formatPence(right.amountPence);

  async function run() {
    setBusy(true);
    const { status, body } = await callFunction(client, "stripe-withdraw", {
      purchase_id: purchase.id,
    });
    setProblem(status === 200 ? null : textOf(body, "error") || giveBackStrings.failed);
    if (status === 200) toast.good(giveBackStrings.done(amount));
    await refetch();
    setBusy(false);
    setAsking(false);
  }

  return (
    <div className="grid justify-items-start gap-2 text-sm sm:col-span-2">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {right === null ? null : (
        <>
          <p className="text-muted">
            {giveBackStrings.until(lastDayInLondon(right.endsAt), amount)}
          </p>
          <Button variant="quiet" size="sm" onClick={() => setAsking(true)}>
            {giveBackStrings.open}
            <span className="sr-only">: {purchase.title}</span>
          </Button>
          <ConfirmDialog
            open={asking}
            onOpenChange={setAsking}
            danger
            busy={busy}
            title={giveBackStrings.ask(purchase.title)}
            description={giveBackStrings.consequence(amount)}
            confirmLabel={giveBackStrings.confirm(amount)}
            cancelLabel={giveBackStrings.stay}
            onConfirm={() => void run()}
          />
        </>
      )}
    </div>
  );
}
