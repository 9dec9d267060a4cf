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
import { checkInFormStrings, explainGuaranteeError, incomeProblem } from "../strings.ts";

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
      toast.good(checkInFormStrings.saved(month));
    } catch (error) {
      console.error("The check-in was not saved", error);
    }
  });

  return (
    <form
      noValidate
      aria-label={checkInFormStrings.name(month)}
      className="grid max-w-lg gap-5"
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        label={checkInFormStrings.income}
        hint={
          recordedPence === null
            ? checkInFormStrings.incomeHint
            : checkInFormStrings.recordedHint(formatPence(recordedPence))
        }
        inputMode="numeric"
        autoComplete="off"
        error={formState.errors.income?.message}
        {...register("income")}
      />
      {saving.isError ? (
        <Alert tone="danger">
          {checkInFormStrings.saveFailed} {explainGuaranteeError(saving.error)}
        </Alert>
      ) : null}
      <div>
        <Button type="submit" loading={formState.isSubmitting}>
          {recordedPence === null ? checkInFormStrings.save : checkInFormStrings.saveCorrection}
        </Button>
      </div>
    </form>
  );
}
