import { ConfirmDialog } from "@/ui/dialog.tsx";
import { useExplanation } from "../use-explanation.tsx";

export interface RemovalDialogProps {
  readonly title: string;
  readonly description: string;
  readonly confirmLabel: string;
  readonly cancelLabel: string;
  readonly busy: boolean;
  readonly onConfirm: (explanation: string) => void;
  readonly onClose: () => void;
}

/**
 * Asks an administrator whether something of another member is taken away, and why. Shown while it asks; for pages that
 * load it only then, because members never need it.
 */
export function RemovalDialog({ busy, onConfirm, onClose, ...texts }: RemovalDialogProps) {
  const explanation = useExplanation();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      {...texts}
      danger
      busy={busy}
      firstFocus={explanation.firstFocus}
      onConfirm={() => {
        if (explanation.require()) onConfirm(explanation.text);
      }}
    >
      {explanation.fields}
    </ConfirmDialog>
  );
}
