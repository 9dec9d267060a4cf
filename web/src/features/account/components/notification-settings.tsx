import { tryAgain } from "@/lib/errors.ts";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { notificationKinds, type NotificationKind } from "../api/notification-choices.ts";
import { useSaveNotificationChoice } from "../mutations.ts";
import { useNotificationChoices } from "../queries.ts";

const texts: Readonly<Record<NotificationKind, { label: string; hint: string }>> = {
  tips: { label: "Getting started", hint: "A welcome, and what to do first." },
  reminders: { label: "Reminders", hint: "What needs you soon, such as a card that expires." },
};

/** Which emails one wants. A choice is saved as soon as it is made. */
export function NotificationSettings() {
  const { data, isError, isFetching, refetch } = useNotificationChoices();
  if (!data && isError) {
    return (
      <LoadFailed
        title="We couldn't load your choices"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label="Loading your choices" className="grid gap-4">
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
      </Loading>
    );
  }
  return (
    <fieldset className="grid gap-4">
      <legend className="sr-only">Emails you want</legend>
      {notificationKinds.map((kind) => (
        <Choice key={kind} kind={kind} isOn={data[kind]} />
      ))}
    </fieldset>
  );
}

function Choice({ kind, isOn }: { readonly kind: NotificationKind; readonly isOn: boolean }) {
  const saving = useSaveNotificationChoice(kind);
  return (
    <div>
      <CheckboxField
        {...texts[kind]}
        checked={isOn}
        error={saving.isError ? `Your choice was not saved. ${tryAgain}` : undefined}
        onChange={(event) => saving.mutate(event.target.checked)}
      />
      <p className="pl-8 text-sm text-muted" role="status">
        {saving.isPending ? "Saving…" : saving.isSuccess ? "Saved." : ""}
      </p>
    </div>
  );
}
