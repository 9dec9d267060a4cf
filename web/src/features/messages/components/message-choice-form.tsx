import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ChoiceCard } from "@/ui/choice-card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { messageChoices, type MessageChoice } from "../api/message-choice.ts";
import { useSaveMessageChoice } from "../mutations.ts";
import { useMessageChoice } from "../queries.ts";
import { explainMessageError, messageChoiceStrings, messageChoiceTexts } from "../strings.ts";

const schema = z.object({ accepts: z.enum(messageChoices) });

/** Who may write to the member. */
export function MessageChoiceForm() {
  const { data, isError, error, isFetching, refetch } = useMessageChoice();
  if (data) return <ChoiceForm accepts={data} />;
  if (isError) {
    return (
      <LoadFailed
        title={messageChoiceStrings.failed}
        busy={isFetching}
        advice={explainMessageError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Loading label={messageChoiceStrings.loading} className="grid gap-3">
      <Skeleton className="h-20" />
      <Skeleton className="h-20" />
      <Skeleton className="h-20" />
    </Loading>
  );
}

function ChoiceForm({ accepts }: { readonly accepts: MessageChoice }) {
  const saving = useSaveMessageChoice();
  const { register, handleSubmit, formState, reset } = useForm({
    defaultValues: { accepts },
    resolver: zodResolver(schema),
  });

  const submit = handleSubmit(async (values) => {
    try {
      await saving.mutateAsync(values.accepts);
      reset(values);
      toast.good(messageChoiceStrings.saved);
    } catch (error) {
      console.error("The choice was not saved", error);
    }
  });

  return (
    <form
      noValidate
      aria-label={messageChoiceStrings.title}
      className="grid gap-6"
      onSubmit={(event) => void submit(event)}
    >
      <fieldset className="grid gap-3">
        <legend className="mb-2 text-sm font-medium">{messageChoiceStrings.question}</legend>
        {messageChoices.map((choice) => (
          <ChoiceCard
            key={choice}
            value={choice}
            title={messageChoiceTexts[choice][0]}
            className="gap-1 p-4"
            {...register("accepts")}
          >
            <span className="block pl-8 text-sm text-muted">{messageChoiceTexts[choice][1]}</span>
          </ChoiceCard>
        ))}
      </fieldset>
      {saving.isError ? (
        <Alert tone="danger">
          {messageChoiceStrings.notSaved} {explainMessageError(saving.error)}
        </Alert>
      ) : null}
      <Button
        type="submit"
        className="justify-self-start"
        loading={formState.isSubmitting}
        disabled={!formState.isDirty}
      >
        {messageChoiceStrings.save}
      </Button>
    </form>
  );
}
