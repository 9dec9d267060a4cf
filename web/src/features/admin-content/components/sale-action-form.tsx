import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { requiredText } from "@/lib/required-text.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { useSaveContent } from "../mutations.ts";
import { saleStrings } from "../strings.ts";

const schema = z.object({
  reason: requiredText(500, saleStrings.reasonMissing),
});

/** Asks for the reason of an act on a sale, and does it. */
export function SaleActionForm({
  confirmLabel,
  reasonHint,
  doneText,
  danger,
  act,
  onClose,
}: {
  readonly confirmLabel: string;
  readonly reasonHint: string;
  readonly doneText: string;
  readonly danger: boolean;
  /** Rejects with the database's error. */
  readonly act: (client: BackendClient, reason: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { busy, issue, save } = useSaveContent();
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { reason: "" },
    resolver: zodResolver(schema),
  });
  const submit = handleSubmit(async ({ reason }) => {
    if (await save((client) => act(client, reason), doneText)) onClose();
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <TextArea
        label={saleStrings.reason}
        hint={reasonHint}
        rows={3}
        maxLength={500}
        required
        error={formState.errors.reason?.message}
        {...register("reason")}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={danger ? "danger" : "primary"} loading={busy}>
          {confirmLabel}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onClose}>
          {saleStrings.keep}
        </Button>
      </div>
    </form>
  );
}
