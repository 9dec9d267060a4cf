import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { Link } from "react-router";
import * as z from "zod/mini";
import { memberPath } from "@/domain/paths.ts";
import { useUserId } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SavingState } from "@/ui/saving-state.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import type { ProfileChoices } from "../api/profile-choices.ts";
import { maxTopicCharacters, maxTopics, splitTopics } from "../model/topics.ts";
import { useSaveProfileChoices } from "../mutations.ts";
import { useProfileChoices } from "../queries.ts";
import { explainPeopleError, profileChoiceStrings } from "../strings.ts";

const schema = z.object({
  topics: z.string().check(
    z.refine(
      (typed) => splitTopics(typed).length <= maxTopics,
      profileChoiceStrings.tooManyTopics(maxTopics),
    ),
    z.refine(
      (typed) => splitTopics(typed).every((topic) => topic.length <= maxTopicCharacters),
      profileChoiceStrings.topicTooLong(maxTopicCharacters),
    ),
  ),
});

/** What the directory and the profile show of a member, in their order. */
const switches = ["isListed", "showsSubmissions", "showsAchievements"] as const;

/** What one may be asked about, and what the directory and one's profile show. What is ticked is saved at once, what is typed by a button. */
export function ProfileChoicesForm() {
  const { data, isError, error, isFetching, refetch } = useProfileChoices();
  if (data) return <Choices choices={data} />;
  if (isError) {
    return (
      <LoadFailed
        title={profileChoiceStrings.failed}
        busy={isFetching}
        advice={explainPeopleError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Loading label={profileChoiceStrings.loading} className="grid gap-4">
      <Skeleton className="h-16" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </Loading>
  );
}

function Choices({ choices }: { readonly choices: ProfileChoices }) {
  const userId = useUserId();
  return (
    <section aria-label={profileChoiceStrings.title} className="grid gap-6">
      <TopicsForm topics={choices.topics} />
      {switches.map((name) => (
        <Switch key={name} name={name} isOn={choices[name]} />
      ))}
      <Button asChild variant="quiet" className="justify-self-start">
        <Link to={memberPath(userId)}>{profileChoiceStrings.seeProfile}</Link>
      </Button>
    </section>
  );
}

function TopicsForm({ topics }: Pick<ProfileChoices, "topics">) {
  const saving = useSaveProfileChoices();
  const { register, handleSubmit, formState, reset } = useForm({
    defaultValues: { topics: topics.join(", ") },
    resolver: zodResolver(schema),
  });
  const submit = handleSubmit(async ({ topics: typed }) => {
    const chosen = splitTopics(typed);
    try {
      await saving.mutateAsync({ topics: chosen });
      reset({ topics: chosen.join(", ") });
      toast.good(profileChoiceStrings.saved);
    } catch {
      // Said below the field, which keeps what was typed.
    }
  });
  return (
    <form noValidate className="grid gap-3" onSubmit={(event) => void submit(event)}>
      <TextField
        label={profileChoiceStrings.topics}
        hint={profileChoiceStrings.topicsHint(maxTopics)}
        maxLength={400}
        error={formState.errors.topics?.message}
        {...register("topics")}
      />
      {saving.isError ? (
        <Alert tone="danger">
          {profileChoiceStrings.notSaved} {explainPeopleError(saving.error)}
        </Alert>
      ) : null}
      <Button
        type="submit"
        className="justify-self-start"
        loading={formState.isSubmitting}
        disabled={!formState.isDirty}
      >
        {profileChoiceStrings.save}
      </Button>
    </form>
  );
}

function Switch({
  name,
  isOn,
}: {
  readonly name: (typeof switches)[number];
  readonly isOn: boolean;
}) {
  const saving = useSaveProfileChoices();
  return (
    <div>
      <CheckboxField
        {...profileChoiceStrings.switches[name]}
        checked={isOn}
        error={
          saving.isError
            ? `${profileChoiceStrings.notSaved} ${explainPeopleError(saving.error)}`
            : undefined
        }
        onChange={({ target }) => saving.mutate({ [name]: target.checked })}
      />
      <div className="pl-8">
        <SavingState {...saving} />
      </div>
    </div>
  );
}
