import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SavingState } from "@/ui/saving-state.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import {
  choiceId,
  digestFrequencies,
  emailKinds,
  type DigestFrequency,
  type OptionalEmail,
} from "../api/notification-choices.ts";
import { useSaveDigestChoice, useSaveNotificationChoice } from "../mutations.ts";
import { useNotificationChoices } from "../queries.ts";
import { notificationChoiceStrings } from "../strings.ts";
import { PushSettings } from "./push-settings.tsx";
import { NotificationChannelTable } from "./notification-channel-table.tsx";

/** What one wants to be told of, and where. A choice is saved as soon as it is made. */
export function NotificationSettings() {
  const { data, isError, isFetching, refetch } = useNotificationChoices();
  if (!data && isError) {
    return (
      <LoadFailed
        title={notificationChoiceStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label={notificationChoiceStrings.loading} className="grid gap-4">
        <Skeleton className="h-64" />
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
      </Loading>
    );
  }
  return (
    <div className="grid gap-8">
      <NotificationChannelTable choices={data} />
      <DigestChoice frequency={data.digest} />
      <PushSettings />
      <fieldset className="grid gap-4">
        <legend className="mb-4 text-sm font-medium">
          {notificationChoiceStrings.emailsHeading}
        </legend>
        {emailKinds.map((kind) => (
          <EmailChoice
            key={kind}
            kind={kind}
            isOn={!data.off.has(choiceId({ kind, channel: "email" }))}
          />
        ))}
      </fieldset>
    </div>
  );
}

function DigestChoice({ frequency }: { readonly frequency: DigestFrequency }) {
  const saving = useSaveDigestChoice();
  return (
    <div className="grid gap-1">
      <SelectField
        label={notificationChoiceStrings.digest.label}
        hint={notificationChoiceStrings.digest.hint}
        value={frequency}
        options={digestFrequencies.map((value) => ({
          value,
          label: notificationChoiceStrings.digest.frequencies[value],
        }))}
        error={saving.isError ? notificationChoiceStrings.notSaved : undefined}
        onChange={({ target }) => {
          const chosen = digestFrequencies.find((each) => each === target.value);
          if (chosen) saving.mutate(chosen);
        }}
      />
      <SavingState {...saving} />
    </div>
  );
}

function EmailChoice({ kind, isOn }: { readonly kind: OptionalEmail; readonly isOn: boolean }) {
  const saving = useSaveNotificationChoice({ kind, channel: "email" });
  return (
    <div>
      <CheckboxField
        {...notificationChoiceStrings.emails[kind]}
        checked={isOn}
        error={saving.isError ? notificationChoiceStrings.notSaved : undefined}
        onChange={(event) => saving.mutate(event.target.checked)}
      />
      <div className="pl-8">
        <SavingState {...saving} />
      </div>
    </div>
  );
}
