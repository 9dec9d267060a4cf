import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { useRevokeCertificate } from "../mutations.ts";
import { explainAchievementError } from "../strings.ts";

const schema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, "Say why."), z.maxLength(500)),
});

/** An administrator's way to revoke the certificate on the page. It cannot be undone. */
export function RevokeCertificate({ code }: { readonly code: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" className="justify-self-start" onClick={() => setOpen(true)}>
        Revoke this certificate
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Revoke this certificate?"
        description="Everyone who looks it up will see that it was revoked. You can't undo this. The reason stays in the audit log and is not public."
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
      setError("reason", { message: `It wasn't revoked. ${explainAchievementError(error)}` });
    }
  });

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <TextArea
        label="Reason"
        rows={3}
        maxLength={500}
        error={formState.errors.reason?.message}
        {...register("reason")}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" loading={formState.isSubmitting}>
          Revoke
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Keep it valid
        </Button>
      </div>
    </form>
  );
}
