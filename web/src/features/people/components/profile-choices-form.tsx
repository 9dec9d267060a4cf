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
  isListed: z.boolean(),
  showsSubmissions: z.boolean(),
  showsAchievements: z.boolean(),
});

/** What one may be asked about, and what the directory and one's profile show. */
export function ProfileChoicesForm() {
  const { data, isError, error, isFetching, refetch } = useProfileChoices();
  if (data) return <ChoicesForm choices={data} />;
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

function ChoicesForm({ choices }: { readonly choices: ProfileChoices }) {
  const userId = useUserId();
  const saving = useSaveProfileChoices();
  const { register, handleSubmit, formState, reset } = useForm({
    defaultValues: { ...choices, topics: choices.topics.join(", ") },
    resolver: zodResolver(schema),
  });

  const submit = handleSubmit(async (values) => {
    const topics = splitTopics(values.topics);
    try {
      await saving.mutateAsync({ ...values, topics });
      reset({ ...values, topics: topics.join(", ") });
      toast.good(profileChoiceStrings.saved);
    } catch (error) {
      console.error("The choices were not saved", error);
    }
  });

  return (
    <form
      noValidate
      aria-label={profileChoiceStrings.title}
      className="grid gap-6"
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        label={profileChoiceStrings.topics}
        hint={profileChoiceStrings.topicsHint(maxTopics)}
        maxLength={400}
        error={formState.errors.topics?.message}
        {...register("topics")}
      />
      <CheckboxField
        label={profileChoiceStrings.listed}
        hint={profileChoiceStrings.listedHint}
        {...register("isListed")}
      />
      <CheckboxField
        label={profileChoiceStrings.submissions}
        hint={profileChoiceStrings.submissionsHint}
        {...register("showsSubmissions")}
      />
      <CheckboxField
        label={profileChoiceStrings.achievements}
        hint={profileChoiceStrings.achievementsHint}
        {...register("showsAchievements")}
      />
      {saving.isError ? (
        <Alert tone="danger">
          {profileChoiceStrings.notSaved} {explainPeopleError(saving.error)}
        </Alert>
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={formState.isSubmitting} disabled={!formState.isDirty}>
          {profileChoiceStrings.save}
        </Button>
        <Button asChild variant="quiet">
          <Link to={memberPath(userId)}>{profileChoiceStrings.seeProfile}</Link>
        </Button>
      </div>
    </form>
  );
}
