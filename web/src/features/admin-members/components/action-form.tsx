import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState, type FormEvent, type ReactNode } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { useSecondFactor } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { explainActionError } from "./explain-action-error.ts";
import { memberActionFormStrings } from "../strings.ts";

const durations = [
  { value: "1", label: memberActionFormStrings.durations.day },
  { value: "7", label: memberActionFormStrings.durations.week },
  { value: "30", label: memberActionFormStrings.durations.month },
  { value: "90", label: memberActionFormStrings.durations.quarter },
];

const schema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, memberActionFormStrings.reasonMissing)),
  days: z.string(),
});

/** What the administrator has entered. */
export interface ActionInput {
  readonly reason: string;
  /** Length of a suspension; null until it is lifted. */
  readonly days: number | null;
}

export interface ActionFormProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly doneText: string;
  readonly danger?: boolean;
  /** It stands in a card already. */
  readonly isInCard?: boolean;
  readonly asksDuration?: boolean;
  /** Asks for the second factor as well. */
  readonly asksCode?: boolean;
  readonly reasonHint: string;
  readonly onSubmit: (input: ActionInput) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the reason of an act and says what it does, within the panel of the member. */
export function ActionForm({
  title,
  children,
  confirmLabel,
  doneText,
  danger = false,
  isInCard = false,
  asksDuration = false,
  asksCode = false,
  reasonHint,
  onSubmit,
  onClose,
}: ActionFormProps) {
  const { fields, change, isComplete, prove } = useSecondFactor({ isNeeded: asksCode });
  const [problem, setProblem] = useState<string | null>(null);
  const { register, handleSubmit, setFocus, formState } = useForm({
    defaultValues: { reason: "", days: "" },
    resolver: zodResolver(schema),
  });
  const { errors, isSubmitting } = formState;

  // The form opens because of a press, which leaves its button gone: the first field takes over.
  useEffect(() => setFocus("reason"), [setFocus]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    // Both say what they miss, and the reason, which comes first, gets the focus.
    const hasCode = !asksCode || (await isComplete());
    await handleSubmit(async ({ reason, days }) => {
      if (!hasCode) return;
      const refusal = asksCode ? await prove() : null;
      if (refusal !== null) {
        setProblem(refusal);
        return;
      }
      try {
        await onSubmit({ reason, days: days === "" ? null : Number(days) });
        toast.good(doneText);
        onClose();
      } catch (error) {
        console.error("The act was not done", error);
        setProblem(explainActionError(error));
      }
    })();
  }

  return (
    <form
      aria-label={title}
      noValidate
      className={classNames(
        "grid gap-4",
        isInCard ? "border-t border-line pt-4" : "rounded-card border border-line bg-sunken p-4",
      )}
      onSubmit={(event) => void submit(event)}
    >
      <h3 className="font-semibold">{title}</h3>
      <div className="grid gap-2 text-sm">{children}</div>
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {asksDuration ? (
        <SelectField
          label={memberActionFormStrings.duration}
          options={durations}
          placeholder={memberActionFormStrings.durationOpen}
          {...register("days")}
        />
      ) : null}
      <TextArea
        label={memberActionFormStrings.reason}
        hint={reasonHint}
        rows={3}
        maxLength={500}
        required
        error={errors.reason?.message}
        {...register("reason")}
      />
      {asksCode ? fields : null}
      {asksCode ? change : null}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={danger ? "danger" : "primary"} loading={isSubmitting}>
          {confirmLabel}
        </Button>
        <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
          {memberActionFormStrings.cancel}
        </Button>
      </div>
    </form>
  );
}
