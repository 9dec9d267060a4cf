import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { paths } from "@/domain/paths.ts";
import { answersMissing, documentMissing, membershipInactive } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";
import { Alert } from "@/ui/alert.tsx";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { confirmationStepStrings, onboardingStrings } from "../strings.ts";
import type { Answers } from "../model/questions.ts";
import { StepActions } from "./step-actions.tsx";

const schema = z.object({
  terms: z.boolean().check(z.refine((agreed) => agreed, onboardingStrings.termsMissing)),
});

/** What the database's refusals mean for the person; see the error codes of onboarding. */
const hints: Readonly<Record<string, string>> = {
  [membershipInactive]: confirmationStepStrings.membershipInactive,
  [answersMissing]: confirmationStepStrings.answersMissing,
  [documentMissing]: confirmationStepStrings.documentMissing,
};

export interface ConfirmationStepProps {
  readonly answers: Answers;
  readonly onBack: () => void;
  /** Resolves when everything is done and rejects with the database's error. */
  readonly onComplete: () => Promise<void>;
}

/** The final step: review the answers and finish. */
export function ConfirmationStep({ answers, onBack, onComplete }: ConfirmationStepProps) {
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { terms: false },
    resolver: zodResolver(schema),
  });
  const { errors, isSubmitting, isSubmitSuccessful } = formState;

  const submit = handleSubmit(async () => {
    try {
      await onComplete();
    } catch (error) {
      console.error("Onboarding was not completed", error);
      setError("root", { message: hints[toAppError(error).code] ?? "" });
    }
  });

  return (
    <form noValidate className="grid gap-6" onSubmit={(event) => void submit(event)}>
      <p className="max-w-prose text-muted">{confirmationStepStrings.intro}</p>
      <dl className="grid divide-y divide-line border-y border-line">
        <Row
          name={confirmationStepStrings.name}
          value={`${answers.first_name} ${answers.last_name}`.trim()}
          step={7}
        />
        <Row name={confirmationStepStrings.occupation} value={answers.occupation} step={7} />
        <Row name={confirmationStepStrings.goals6Months} value={answers.goals_6_months} step={6} />
        <Row name={confirmationStepStrings.goals1Year} value={answers.goals_1_year} step={6} />
        <Row
          name={confirmationStepStrings.commitment}
          value={
            answers.commitment_level === ""
              ? ""
              : confirmationStepStrings.commitmentLevel(answers.commitment_level)
          }
          step={6}
        />
        <Row
          name={confirmationStepStrings.identity}
          value={confirmationStepStrings.documentReceived}
          step={8}
        />
      </dl>
      <CheckboxField
        error={errors.terms?.message}
        label={
          <>
            {confirmationStepStrings.agreement.before}
            <LegalLink to={paths.terms}>{confirmationStepStrings.agreement.terms}</LegalLink>
            {confirmationStepStrings.agreement.between}
            <LegalLink to={paths.privacy}>{confirmationStepStrings.agreement.privacy}</LegalLink>
            {confirmationStepStrings.agreement.after}
          </>
        }
        {...register("terms")}
      />
      {errors.root ? (
        <Alert tone="danger" title={onboardingStrings.completeFailed}>
          {errors.root.message}
        </Alert>
      ) : null}
      <StepActions
        onBack={onBack}
        label={confirmationStepStrings.complete}
        busy={isSubmitting || isSubmitSuccessful}
      />
    </form>
  );
}

function LegalLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <a className="underline underline-offset-4" href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

function Row({
  name,
  value,
  step,
}: {
  readonly name: string;
  readonly value: string;
  readonly step: number;
}) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 py-3 sm:grid-cols-[10rem_1fr_auto]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="order-last col-span-2 line-clamp-3 min-w-0 break-words sm:order-none sm:col-span-1">
        {value.trim() === "" ? confirmationStepStrings.notAnswered : value}
      </dd>
      <dd className="text-sm">
        <TextLink to={`?step=${step}`} aria-label={confirmationStepStrings.changeAnswer(name)}>
          {confirmationStepStrings.change}
        </TextLink>
      </dd>
    </div>
  );
}
