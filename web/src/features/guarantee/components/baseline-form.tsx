import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { acceptedDocuments, documentFileError } from "@/features/verification/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { FileDrop } from "@/ui/file-drop.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { useFocusAfter } from "@/ui/use-focus-after.ts";
import type { GuaranteeBaseline } from "../model/guarantee-record.ts";
import { parseIncome } from "../model/income.ts";
import { useRecordBaseline } from "../mutations.ts";
import { baselineFormStrings, explainGuaranteeError, incomeProblem } from "../strings.ts";

const schema = z.object({
  income: z.string().check(z.refine((typed) => parseIncome(typed) !== null, incomeProblem)),
  source: z
    .string()
    .check(z.refine((typed) => typed.trim() !== "", baselineFormStrings.sourceMissing)),
});

/** The heading above, which stays when the form makes room for the record. */
export const guaranteeHeadingId = "guarantee";

/** Where the member starts: income a month and its source. Also corrects what was written before. */
export function BaselineForm({ baseline }: { readonly baseline: GuaranteeBaseline | null }) {
  const saving = useRecordBaseline();
  const form = useFocusAfter<HTMLFormElement>(() => document.getElementById(guaranteeHeadingId));
  const [file, setFile] = useState<File | null>(null);
  const [issue, setIssue] = useState<string | null>(null);
  const { register, handleSubmit, formState } = useForm({
    defaultValues: {
      income: baseline ? String(baseline.monthlyPence / 100) : "",
      source: baseline?.source ?? "",
    },
    resolver: zodResolver(schema),
  });

  const submit = handleSubmit(async ({ income, source }) => {
    try {
      await saving.mutateAsync({
        monthlyPence: parseIncome(income) ?? 0,
        source: source.trim(),
        document: file,
      });
      setFile(null);
      toast.good(baselineFormStrings.saved);
    } catch (error) {
      console.error("The baseline was not saved", error);
    }
  });

  return (
    <form
      ref={form}
      noValidate
      aria-label={baselineFormStrings.name}
      className="grid max-w-lg gap-5"
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        label={baselineFormStrings.income}
        hint={baselineFormStrings.incomeHint}
        inputMode="numeric"
        autoComplete="off"
        error={formState.errors.income?.message}
        {...register("income")}
      />
      <TextField
        label={baselineFormStrings.source}
        hint={baselineFormStrings.sourceHint}
        maxLength={200}
        error={formState.errors.source?.message}
        {...register("source")}
      />
      <FileDrop
        label={baselineFormStrings.document}
        hint={
          baseline?.hasDocument
            ? baselineFormStrings.documentHeldHint
            : baselineFormStrings.documentHint
        }
        name="document"
        accept={acceptedDocuments}
        file={file}
        onFile={(chosen) => {
          const problem = chosen === null ? null : documentFileError(chosen);
          setIssue(problem);
          setFile(problem === null ? chosen : null);
        }}
        disabled={formState.isSubmitting}
        error={issue}
      />
      {saving.isError ? (
        <Alert tone="danger">
          {baselineFormStrings.saveFailed} {explainGuaranteeError(saving.error)}
        </Alert>
      ) : null}
      <div>
        <Button type="submit" loading={formState.isSubmitting}>
          {baseline ? baselineFormStrings.saveCorrection : baselineFormStrings.save}
        </Button>
      </div>
    </form>
  );
}
