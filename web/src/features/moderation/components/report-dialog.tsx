import { zodResolver } from "@hookform/resolvers/zod";
import { useId } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { reportCategories, reportCategoryName } from "@/domain/report-categories.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { FieldError } from "@/ui/field.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { sendReport } from "../api/reports.ts";
import type { ReportSubject } from "../model/report.ts";
import { explainReportError, reportDialogStrings, stringsOfKind } from "../strings.ts";
import { ReportedWords } from "./reported-words.tsx";

const schema = z
  .object({
    category: z.nullable(z.enum(reportCategories)),
    words: z.string().check(z.trim()),
  })
  .check(
    z.refine(({ category, words }) => category !== null || words !== "", {
      path: ["category"],
      error: reportDialogStrings.nothingSaid,
    }),
    z.refine(({ category, words }) => category !== "other" || words !== "", {
      path: ["words"],
      error: reportDialogStrings.wordsMissing,
    }),
  );

interface ReportDialogProps {
  /** What is reported; null while nothing is. */
  readonly subject: ReportSubject | null;
  readonly onClose: () => void;
}

/** Reports something of another member to the administrators: what is wrong from a list, in one's own words, or both. */
export function ReportDialog({ subject, onClose }: ReportDialogProps) {
  const texts = subject && stringsOfKind(subject.kind);
  return (
    <Dialog
      open={subject !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={texts?.title(subject?.name ?? "") ?? ""}
      description={texts?.note ?? ""}
    >
      {subject === null ? null : (
        <ReportForm key={subject.id} subject={subject} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ReportForm({ subject, onClose }: ReportDialogProps & { readonly subject: ReportSubject }) {
  const { client } = useBackend();
  const errorId = useId();
  const { register, handleSubmit, formState, setError, control } = useForm<z.infer<typeof schema>>({
    defaultValues: { category: null, words: "" },
    resolver: zodResolver(schema),
  });
  const { errors } = formState;
  const chosen = useWatch({ control, name: "category" });

  const submit = handleSubmit(async (reason) => {
    try {
      await sendReport(client, subject, reason);
      toast.good(reportDialogStrings.sent);
      onClose();
    } catch (error) {
      console.error("The report was not sent", error);
      setError("words", { message: reportDialogStrings.notSent(explainReportError(error)) });
    }
  });

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <ReportedWords>{subject.quote ?? ""}</ReportedWords>
      <fieldset aria-describedby={errorId}>
        <legend className="mb-1 text-sm font-medium">{stringsOfKind(subject.kind).label}</legend>
        {reportCategories.map((category) => (
          <label key={category} className="flex min-h-11 items-center gap-3 sm:min-h-9">
            <input
              type="radio"
              value={category}
              className="size-4 shrink-0 accent-[var(--accent)]"
              {...register("category", { deps: "words" })}
            />
            {reportCategoryName(category)}
          </label>
        ))}
        <FieldError id={errorId}>{errors.category?.message}</FieldError>
      </fieldset>
      <TextArea
        label={reportDialogStrings.words}
        rows={3}
        maxLength={500}
        required={chosen === null || chosen === "other" ? undefined : false}
        error={errors.words?.message}
        {...register("words", { deps: "category" })}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={formState.isSubmitting}>
          {reportDialogStrings.send}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {reportDialogStrings.cancel}
        </Button>
      </div>
    </form>
  );
}
