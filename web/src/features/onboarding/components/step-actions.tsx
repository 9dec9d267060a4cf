import { ArrowLeft } from "lucide-react";
import { Button } from "@/ui/button.tsx";
import { onboardingStrings } from "../strings.ts";

export interface StepActionsProps {
  /** Absent on the first step. */
  readonly onBack?: (() => void) | undefined;
  /** Absent when the button submits the form it stands in. */
  readonly onContinue?: (() => void) | undefined;
  readonly label?: string | undefined;
  /** What comes after, in a few words. */
  readonly next?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly busy?: boolean | undefined;
}

/** Back and onward, at the end of every step. */
export function StepActions({
  onBack,
  onContinue,
  label = onboardingStrings.continue,
  next,
  disabled,
  busy,
}: StepActionsProps) {
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-5 gap-y-3 border-t border-line pt-6">
      {onBack ? (
        <Button variant="quiet" size="lg" onClick={onBack} disabled={busy}>
          <ArrowLeft aria-hidden className="size-4" />
          {onboardingStrings.back}
        </Button>
      ) : null}
      {next === undefined ? null : (
        <p className="order-first basis-full text-sm text-muted sm:order-none sm:ml-auto sm:basis-auto">
          {next}
        </p>
      )}
      <Button
        type={onContinue ? "button" : "submit"}
        size="lg"
        className="ml-auto min-w-40 sm:ml-0"
        disabled={disabled}
        loading={busy}
        onClick={onContinue}
      >
        {label}
      </Button>
    </div>
  );
}
