import { useId, type ReactNode } from "react";
import { CircleAlert } from "lucide-react";
import { classNames } from "./class-names.ts";

export interface FieldTexts {
  readonly label: ReactNode;
  /** One helpful line under the label, always visible. */
  readonly hint?: ReactNode | undefined;
  /** What is wrong, shown under the control and read out with it. */
  readonly error?: ReactNode | undefined;
}

interface ControlAttributes {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

interface FieldProps extends FieldTexts {
  readonly id?: string | undefined;
  readonly required?: boolean | undefined;
  readonly className?: string | undefined;
  /** Further ids the control is described by, such as a strength meter. */
  readonly describedBy?: string | undefined;
  /** How much of its limit the text takes, once that is near. */
  readonly counter?: string | null | undefined;
  readonly children: (control: ControlAttributes) => ReactNode;
}

export const controlClasses =
  "w-full rounded-control border border-control-line bg-raised px-3 text-base text-ink transition-colors placeholder:text-muted hover:border-ink aria-invalid:border-danger disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-muted";

/** Label, control, hint and error, tied together for people who cannot see the layout. */
export function Field({
  id: givenId,
  label,
  hint,
  error,
  required,
  className,
  describedBy,
  counter,
  children,
}: FieldProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const counterId = `${id}-counter`;
  const hasError = Boolean(error);
  const described = [
    hint ? hintId : "",
    hasError ? errorId : "",
    counter ? counterId : "",
    describedBy ?? "",
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={classNames("grid gap-1.5", className)}>
      <label htmlFor={id} className="text-sm font-medium text-ink">
        {label}
        {required === false ? <span className="font-normal text-muted"> (optional)</span> : null}
      </label>
      {hint ? (
        <p id={hintId} className="-mt-1 text-sm text-muted">
          {hint}
        </p>
      ) : null}
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": hasError || undefined,
      })}
      <FieldError id={errorId}>{error}</FieldError>
      {counter ? (
        <p id={counterId} className="tabular text-sm text-muted">
          {counter}
        </p>
      ) : null}
    </div>
  );
}

/** The line under a control. It is a live region, so a problem found while typing is heard. */
export function FieldError({
  id,
  children,
}: {
  readonly id: string;
  readonly children: ReactNode;
}) {
  return (
    <p
      id={id}
      aria-live="polite"
      className="flex items-start gap-1.5 text-sm text-danger empty:hidden"
    >
      {children ? (
        <>
          <CircleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          <span>{children}</span>
        </>
      ) : null}
    </p>
  );
}
