import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { longDate } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { parseIncome } from "../model/income.ts";
import { useAppealClaim, useFileClaim } from "../mutations.ts";
import { explainGuaranteeError, incomeProblem } from "../strings.ts";

const maxStatement = 2000;
const statementField = (problem: string) =>
  z.string().check(z.refine((typed) => typed.trim() !== "", problem));

const claimSchema = z.object({
  income: z.string().check(z.refine((typed) => parseIncome(typed) !== null, incomeProblem)),
  statement: statementField("Say where this can be seen."),
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
      aria-label="Your claim"
      className="grid max-w-lg gap-5"
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        label="What you earned in the last month, in pounds"
        hint="Before tax."
        inputMode="numeric"
        autoComplete="off"
        error={formState.errors.income?.message}
        {...register("income")}
      />
      <TextArea
        label="Where this can be seen"
        hint="Such as: my payslip of March, my accounts. We may ask for it."
        maxLength={maxStatement}
        error={formState.errors.statement?.message}
        {...register("statement")}
      />
      {filing.isError ? (
        <Alert tone="danger">
          Your claim wasn&apos;t made. {explainGuaranteeError(filing.error)}
        </Alert>
      ) : null}
      <div>
        <Button type="submit" loading={formState.isSubmitting}>
          Make the claim
        </Button>
      </div>
    </form>
  );
}

const appealSchema = z.object({ appeal: statementField("Say what was overlooked.") });

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
      aria-label="Your appeal"
      className="grid max-w-lg gap-5"
      onSubmit={(event) => void submit(event)}
    >
      <TextArea
        label="What was overlooked"
        hint={`You can appeal once, until ${longDate(until)}. Someone else decides.`}
        maxLength={maxStatement}
        error={formState.errors.appeal?.message}
        {...register("appeal")}
      />
      {appealing.isError ? (
        <Alert tone="danger">
          Your appeal wasn&apos;t made. {explainGuaranteeError(appealing.error)}
        </Alert>
      ) : null}
      <div>
        <Button type="submit" variant="secondary" loading={formState.isSubmitting}>
          Appeal
        </Button>
      </div>
    </form>
  );
}
