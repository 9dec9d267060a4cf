import { Alert } from "@/ui/alert.tsx";
import { ChoiceCard } from "@/ui/choice-card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SavingState } from "@/ui/saving-state.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { messageChoices, type MessageChoice } from "../api/message-choice.ts";
import { useSaveMessageChoice } from "../mutations.ts";
import { useMessageChoice } from "../queries.ts";
import { explainMessageError, messageChoiceStrings, messageChoiceTexts } from "../strings.ts";

/** Who may write to the member. Saved as soon as it is chosen. */
export function MessageChoiceForm() {
  const { data, isError, error, isFetching, refetch } = useMessageChoice();
  if (data) return <Choice accepts={data} />;
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

function Choice({ accepts }: { readonly accepts: MessageChoice }) {
  const saving = useSaveMessageChoice();
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">{messageChoiceStrings.question}</legend>
      {messageChoices.map((choice) => (
        <ChoiceCard
          key={choice}
          name="accepts"
          value={choice}
          title={messageChoiceTexts[choice][0]}
          className="gap-1 p-4"
          checked={accepts === choice}
          onChange={() => saving.mutate(choice)}
        >
          <span className="block pl-8 text-sm text-muted">{messageChoiceTexts[choice][1]}</span>
        </ChoiceCard>
      ))}
      {saving.isError ? (
        <Alert tone="danger">
          {messageChoiceStrings.notSaved} {explainMessageError(saving.error)}
        </Alert>
      ) : null}
      <SavingState {...saving} />
    </fieldset>
  );
}
