import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState, type ReactNode } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { CodeField, codeSchema, useOwnFactors } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { explainActionError } from "./explain-action-error.ts";
import type { FactorCode } from "../api/member-actions.ts";
import { memberActionFormStrings } from "../strings.ts";

const durations = [
  { value: "1", label: memberActionFormStrings.durations.day },
  { value: "7", label: memberActionFormStrings.durations.week },
  { value: "30", label: memberActionFormStrings.durations.month },
  { value: "90", label: memberActionFormStrings.durations.quarter },
];

const withReason = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, memberActionFormStrings.reasonMissing)),
  days: z.string(),
  device: z.string(),
  code: z.string(),
});
const withCode = z.extend(withReason, { code: codeSchema });

/** What the administrator has entered. */
export interface ActionInput {
  readonly reason: string;
  /** Length of a suspension; null until it is lifted. */
  readonly days: number | null;
  readonly code: FactorCode;
}

export interface ActionFormProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly doneText: string;
  readonly danger?: boolean;
  readonly asksDuration?: boolean;
  /** Asks for a code of the second factor as well. */
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
  asksDuration = false,
  asksCode = false,
  reasonHint,
  onSubmit,
  onClose,
}: ActionFormProps) {
  const { data: factors = [] } = useOwnFactors(asksCode);
  const [problem, setProblem] = useState<string | null>(null);
  const { register, control, handleSubmit, resetField, setFocus, formState } = useForm({
    defaultValues: { reason: "", days: "", device: "", code: "" },
    resolver: zodResolver(asksCode ? withCode : withReason),
  });
  const { errors, isSubmitting } = formState;

  // The form opens because of a press, which leaves its button gone: the first field takes over.
  useEffect(() => setFocus("reason"), [setFocus]);

  const submit = handleSubmit(async ({ reason, days, device, code }) => {
    try {
      await onSubmit({
        reason,
        days: days === "" ? null : Number(days),
        code: { factorId: device || (factors[0]?.id ?? ""), code },
      });
      toast.good(doneText);
      onClose();
    } catch (error) {
      console.error("The act was not done", error);
      setProblem(explainActionError(error));
      resetField("code");
    }
  });

  return (
    <form
      aria-label={title}
      noValidate
      className="grid gap-4 rounded-card border border-line bg-sunken p-4"
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
      {asksCode && factors.length > 1 ? (
        <SelectField
          label={memberActionFormStrings.device}
          options={factors.map(({ id, name }) => ({
            value: id,
            label: name || memberActionFormStrings.unnamedDevice,
          }))}
          {...register("device")}
        />
      ) : null}
      {asksCode ? (
        <CodeField
          label={memberActionFormStrings.code}
          hint={memberActionFormStrings.codeHint}
          control={control}
          name="code"
        />
      ) : null}
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
