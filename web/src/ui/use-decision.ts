import { useState } from "react";

interface DecisionSteps<Asked> {
  readonly save: (asked: Asked) => Promise<unknown>;
  readonly onSaved: (asked: Asked) => void;
  /** The decision was not saved; the reason has been logged. */
  readonly onFailed: (error: unknown) => void;
}

/** A decision of an administrator that is asked about once more before it is saved. */
export function useDecision<Asked>({ save, onSaved, onFailed }: DecisionSteps<Asked>) {
  const [asking, setAsking] = useState<Asked | null>(null);
  const [busy, setBusy] = useState(false);

  async function confirm(): Promise<void> {
    if (asking === null) return;
    setBusy(true);
    try {
      await save(asking);
      onSaved(asking);
    } catch (error) {
      console.error("The decision was not saved", error);
      onFailed(error);
    } finally {
      setBusy(false);
      setAsking(null);
    }
  }

  return {
    /** What is asked about; null while nothing is. */
    asking,
    ask: setAsking,
    /** For the dialog that asks. */
    dialog: {
      open: asking !== null,
      onOpenChange: (open: boolean) => {
        if (!open) setAsking(null);
      },
      busy,
      onConfirm: () => void confirm(),
    },
  };
}
