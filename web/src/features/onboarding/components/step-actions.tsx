import { ArrowLeft } from "lucide-react";
import { Button } from "@/ui/button.tsx";
import { onboardingStrings } from "../strings.ts";

export interface StepActionsProps {
  /** Absent on the first step. */
  readonly onBack?: (() => void) | undefined;
  /** Absent when the button submits the form it stands in. */
  readonly onContinue?: (() => void) | undefined;
  readonly label?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly busy?: boolean | undefined;
}

/** Back and onward, at the end of every step. */
export function StepActions({
  onBack,
  onContinue,
  label = onboardingStrings.continue,
  disabled,
  busy,
}: StepActionsProps) {
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-6">
      {onBack ? (
        <Button variant="quiet" size="lg" onClick={onBack} disabled={busy}>
          <ArrowLeft aria-hidden className="size-4" />
          {onboardingStrings.back}
        </Button>
      ) : (
        <span />
      )}
      <Button
        type={onContinue ? "button" : "submit"}
        size="lg"
        className="min-w-40"
        disabled={disabled}
        loading={busy}
        onClick={onContinue}
      >
        {label}
      </Button>
    </div>
  );
}
