import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { lastDayInLondon } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { parseIncome } from "../model/income.ts";
import { useAppealClaim, useFileClaim } from "../mutations.ts";
import {
  appealFormStrings,
  claimFormStrings,
  explainGuaranteeError,
  incomeProblem,
} from "../strings.ts";

const maxStatement = 2000;
const statementField = (problem: string) =>
  z.string().check(z.refine((typed) => typed.trim() !== "", problem));

const claimSchema = z.object({
  income: z.string().check(z.refine((typed) => parseIncome(typed) !== null, incomeProblem)),
  statement: statementField(claimFormStrings.statementMissing),
});

/** The claim: what the member earns now, and where that can be seen. */
export function ClaimForm() {
  const filing = useFileClaim();
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { income: "", statement: "" },
    resolver: zodResolver(claimSchema),
  });
  const submit = handleSubmit(async ({ income, statement }) => {
    try {
      await filing.mutateAsync({
        monthlyPence: parseIncome(income) ?? 0,
        statement: statement.trim(),
      });
    } catch (error) {
      console.error("The claim was not made", error);
    }
  });
  return (
    <form
      noValidate
      aria-label={claimFormStrings.name}
      className="grid max-w-lg gap-5"
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        label={claimFormStrings.income}
        hint={claimFormStrings.incomeHint}
        inputMode="numeric"
        autoComplete="off"
        error={formState.errors.income?.message}
        {...register("income")}
      />
      <TextArea
        label={claimFormStrings.statement}
        hint={claimFormStrings.statementHint}
        maxLength={maxStatement}
        error={formState.errors.statement?.message}
        {...register("statement")}
      />
      {filing.isError ? (
        <Alert tone="danger">
          {claimFormStrings.sendFailed} {explainGuaranteeError(filing.error)}
        </Alert>
      ) : null}
      <div>
        <Button type="submit" loading={formState.isSubmitting}>
          {claimFormStrings.send}
        </Button>
      </div>
    </form>
  );
}

const appealSchema = z.object({ appeal: statementField(appealFormStrings.appealMissing) });

/** The one appeal against a declined claim. `until` in epoch milliseconds. */
export function AppealForm({ until }: { readonly until: number }) {
  const appealing = useAppealClaim();
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { appeal: "" },
    resolver: zodResolver(appealSchema),
  });
  const submit = handleSubmit(async ({ appeal }) => {
    try {
      await appealing.mutateAsync(appeal.trim());
    } catch (error) {
      console.error("The appeal was not made", error);
    }
  });
  return (
    <form
      noValidate
      aria-label={appealFormStrings.name}
      className="grid max-w-lg gap-5"
      onSubmit={(event) => void submit(event)}
    >
      <TextArea
        label={appealFormStrings.appeal}
        hint={appealFormStrings.appealHint(lastDayInLondon(until))}
        maxLength={maxStatement}
        error={formState.errors.appeal?.message}
        {...register("appeal")}
      />
      {appealing.isError ? (
        <Alert tone="danger">
          {appealFormStrings.sendFailed} {explainGuaranteeError(appealing.error)}
        </Alert>
      ) : null}
      <div>
        <Button type="submit" variant="secondary" loading={formState.isSubmitting}>
          {appealFormStrings.send}
        </Button>
      </div>
    </form>
  );
}
