import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { requiredText } from "@/lib/required-text.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { useRevokeCertificate } from "../mutations.ts";
import { certificateStrings, explainAchievementError } from "../strings.ts";

const schema = z.object({
  reason: requiredText(500, certificateStrings.reasonMissing),
});

/** An administrator's way to revoke the certificate on the page. It cannot be undone. */
export function RevokeCertificate({ code }: { readonly code: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" className="justify-self-start" onClick={() => setOpen(true)}>
        {certificateStrings.revokeOpen}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={certificateStrings.revokeTitle}
        description={certificateStrings.revokeText}
      >
        <RevokeForm code={code} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function RevokeForm({ code, onClose }: { readonly code: string; readonly onClose: () => void }) {
  const revoking = useRevokeCertificate(code);
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { reason: "" },
    resolver: zodResolver(schema),
  });

  const submit = handleSubmit(async ({ reason }) => {
    try {
      await revoking.mutateAsync(reason);
      onClose();
    } catch (error) {
      console.error("The certificate was not revoked", error);
      setError("reason", {
        message: `${certificateStrings.notRevoked} ${explainAchievementError(error)}`,
      });
    }
  });

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <TextArea
        label={certificateStrings.reason}
        rows={3}
        maxLength={500}
        error={formState.errors.reason?.message}
        {...register("reason")}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" loading={formState.isSubmitting}>
          {certificateStrings.revoke}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {certificateStrings.keepValid}
        </Button>
      </div>
    </form>
  );
}
