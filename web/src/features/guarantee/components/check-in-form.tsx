import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { formatPence } from "@/domain/brand.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { parseIncome } from "../model/income.ts";
import { useRecordCheckIn } from "../mutations.ts";
import { explainGuaranteeError, incomeProblem } from "../strings.ts";

const schema = z.object({
  income: z.string().check(z.refine((typed) => parseIncome(typed) !== null, incomeProblem)),
});

export interface CheckInFormProps {
  readonly month: number;
  /** What is on record for this month already. */
  readonly recordedPence: number | null;
}

/** The check-in of the month that is running. */
export function CheckInForm({ month, recordedPence }: CheckInFormProps) {
  const saving = useRecordCheckIn();
  const { register, handleSubmit, formState, reset } = useForm({
    defaultValues: { income: "" },
    resolver: zodResolver(schema),
  });

  const submit = handleSubmit(async ({ income }) => {
    try {
      await saving.mutateAsync(parseIncome(income) ?? 0);
      reset();
      toast.good(`You've checked in for month ${month}.`);
    } catch (error) {
      console.error("The check-in was not saved", error);
    }
  });

  return (
    <form
      noValidate
      aria-label={`Check-in of month ${month}`}
      className="grid max-w-lg gap-5"
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        label="What you earned this month, in pounds"
        hint={
          recordedPence === null
            ? "Before tax. Only you see it, and administrators if you claim. You can correct it until the month is over."
            : `On record: ${formatPence(recordedPence)}. You can correct it until the month is over.`
        }
        inputMode="numeric"
        autoComplete="off"
        error={formState.errors.income?.message}
        {...register("income")}
      />
      {saving.isError ? (
        <Alert tone="danger">It wasn't saved. {explainGuaranteeError(saving.error)}</Alert>
      ) : null}
      <div>
        <Button type="submit" loading={formState.isSubmitting}>
          {recordedPence === null ? "Check in" : "Save the correction"}
        </Button>
      </div>
    </form>
  );
}
