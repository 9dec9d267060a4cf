import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useUserId } from "@/features/session/index.ts";
import { useNow } from "@/lib/use-now.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { useMakePact } from "../mutations.ts";
import { maxWitnesses } from "../model/pact.ts";
import { dueDays, type PactDraft } from "../model/pact-draft.ts";
import { storedPact } from "../model/stored-pact.ts";
import { pactDraftSchema } from "./pact-draft-schema.ts";
import { explainPactError, pactFormStrings } from "../strings.ts";
import { WitnessPicker, type ChosenWitness } from "./witness-picker.tsx";

/** What, by when, how one will know, and who will ask. What was written survives every failure and a reload. */
export function PactForm({ onMade }: { readonly onMade: () => void }) {
  const now = useNow();
  const userId = useUserId();
  const make = useMakePact();
  const days = dueDays(now);
  const [stored] = useState(() => storedPact.read(userId));
  const [witnesses, setWitnesses] = useState<readonly ChosenWitness[]>(stored?.witnesses ?? []);
  const [failure, setFailure] = useState<string | null>(null);
  const { register, control, handleSubmit, formState } = useForm<PactDraft>({
    defaultValues: stored ?? { title: "", dueOn: days.offered, content: "" },
    resolver: zodResolver(pactDraftSchema(now)),
  });
  const { errors, isSubmitting } = formState;
  const { title = "", dueOn = "", content = "" } = useWatch({ control });
  const isTouched = formState.isDirty || witnesses.length > 0 || stored !== null;

  useEffect(() => {
    if (!isTouched) return;
    storedPact.keep({ title, dueOn, content, witnesses: [...witnesses] }, userId);
  }, [isTouched, userId, title, dueOn, content, witnesses]);

  const submit = handleSubmit(async (draft) => {
    setFailure(null);
    try {
      await make({ ...draft, witnessIds: witnesses.map(({ id }) => id) });
      storedPact.keep(null, userId);
      onMade();
    } catch (error) {
      console.error("The pact was not made", error);
      setFailure(`${pactFormStrings.saveFailed} ${explainPactError(error)}`);
    }
  });

  return (
    <Card>
      <form
        noValidate
        aria-label={pactFormStrings.name}
        className="grid grid-cols-1 gap-6"
        onSubmit={(event) => void submit(event)}
      >
        <TextField
          label={pactFormStrings.title}
          hint={pactFormStrings.titleHint}
          autoComplete="off"
          readOnly={isSubmitting}
          error={errors.title?.message}
          {...register("title")}
        />
        <TextField
          label={pactFormStrings.dueOn}
          type="date"
          min={days.first}
          max={days.last}
          className="sm:max-w-60"
          readOnly={isSubmitting}
          error={errors.dueOn?.message}
          {...register("dueOn")}
        />
        <TextArea
          label={pactFormStrings.content}
          rows={3}
          readOnly={isSubmitting}
          error={errors.content?.message}
          {...register("content")}
        />
        <fieldset className="grid grid-cols-1 gap-2">
          <legend className="mb-1 text-sm font-medium">{pactFormStrings.witnesses}</legend>
          <p className="text-sm text-muted">{pactFormStrings.witnessesHint}</p>
          <WitnessPicker
            chosen={witnesses}
            places={maxWitnesses}
            disabled={isSubmitting}
            onChange={setWitnesses}
          />
        </fieldset>
        {failure === null ? null : <Alert tone="danger">{failure}</Alert>}
        <div>
          <Button type="submit" size="lg" loading={isSubmitting}>
            {pactFormStrings.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}
