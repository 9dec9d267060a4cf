import { useDeferredValue, useState } from "react";
import { landingWords } from "@/domain/landing-words.ts";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { longDate } from "@/lib/format-time.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Alert } from "@/ui/alert.tsx";
import { Avatar } from "@/ui/avatar.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import {
  publishLandingText,
  type LandingSettings,
  type LandingWords,
} from "../api/landing-settings.ts";
import { useSaveSetting } from "../mutations.ts";
import { useLandingSettings } from "../queries.ts";
import { landingSettingsStrings } from "../strings.ts";

/** The words of the landing page, its host, and whose submissions stand there. */
export function LandingTab() {
  const { data, isError, isFetching, refetch } = useLandingSettings();
  if (data === undefined) {
    return isError ? (
      <LoadFailed
        title={landingSettingsStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading label={landingSettingsStrings.loading}>
        <Skeleton className="h-96" />
      </Loading>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-8">
      <section aria-labelledby="landing-words" className="grid grid-cols-1 gap-4">
        <h2 id="landing-words" className="text-lg font-medium">
          {landingSettingsStrings.words}
        </h2>
        <p className="max-w-prose text-muted">
          {landingSettingsStrings.intro}{" "}
          {data.publishedAt === null
            ? landingSettingsStrings.unchanged
            : landingSettingsStrings.version(data.version, longDate(data.publishedAt))}
        </p>
        <Editor key={data.version} settings={data} />
      </section>
      <Outcomes settings={data} />
    </div>
  );
}

const fields = ["headline", "lead", "host", "about"] as const;

function Editor({ settings }: { readonly settings: LandingSettings }) {
  const { busy, issue, save } = useSaveSetting();
  const [words, setWords] = useState(settings.words);
  const [asking, setAsking] = useState(false);
  const shown = useDeferredValue(words);
  const isChanged = fields.some((field) => words[field].trim() !== settings.words[field]);
  const field = (name: keyof LandingWords) => ({
    label: landingSettingsStrings.fields[name],
    value: words[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setWords((before) => ({ ...before, [name]: target.value })),
  });

  async function publish() {
    await save(
      async (client) => await publishLandingText(client, words),
      landingSettingsStrings.published,
    );
    setAsking(false);
  }

  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      <form
        className="grid content-start gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsking(true);
        }}
      >
        <TextField
          {...field("headline")}
          maxLength={120}
          hint={landingSettingsStrings.emptyIsOurs}
        />
        <TextArea
          {...field("lead")}
          maxLength={500}
          rows={4}
          hint={landingSettingsStrings.emptyIsOurs}
        />
        <SelectField
          {...field("host")}
          hint={landingSettingsStrings.hostHint}
          options={[
            { value: "", label: landingSettingsStrings.nobody },
            ...settings.hosts.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <TextArea
          {...field("about")}
          maxLength={1500}
          rows={5}
          hint={landingSettingsStrings.aboutHint}
        />
        {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
        <div>
          <Button type="submit" loading={busy} disabled={!isChanged}>
            {landingSettingsStrings.publish}
          </Button>
        </div>
      </form>
      <Preview words={shown} hosts={settings.hosts} />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        busy={busy}
        title={landingSettingsStrings.ask}
        description={landingSettingsStrings.consequence}
        confirmLabel={landingSettingsStrings.publish}
        cancelLabel={landingSettingsStrings.keepEditing}
        onConfirm={() => void publish()}
      />
    </div>
  );
}

/** What visitors will read. */
function Preview({
  words,
  hosts,
}: {
  readonly words: LandingWords;
  readonly hosts: LandingSettings["hosts"];
}) {
  const { client } = useBackend();
  const host = hosts.find(({ id }) => id === words.host);
  return (
    <section
      aria-label={landingSettingsStrings.preview}
      className="grid content-start gap-4 rounded-card border border-line bg-paper p-6"
    >
      <h3 className="text-sm font-medium text-muted">{landingSettingsStrings.preview}</h3>
      <p className="display text-3xl wrap-anywhere">
        {words.headline.trim() || landingWords.headline}
      </p>
      <p className="text-lg wrap-anywhere text-muted">{words.lead.trim() || landingWords.lead}</p>
      {host === undefined ? null : (
        <div className="grid gap-3 border-t border-line pt-4">
          <p className="flex items-center gap-3 font-semibold">
            <Avatar
              id={host.id}
              name={host.name}
              picture={profilePictureUrl(client, host.picture)}
              size="lg"
            />
            {host.name}
          </p>
          {words.about
            .split(/\n\s*\n/)
            .filter((paragraph) => paragraph.trim() !== "")
            .map((paragraph) => (
              <p key={paragraph} className="wrap-anywhere text-muted">
                {paragraph}
              </p>
            ))}
        </div>
      )}
    </section>
  );
}

/** Whose submissions visitors read. It takes an administrator's mark and the author's word. */
function Outcomes({ settings }: { readonly settings: LandingSettings }) {
  return (
    <section aria-labelledby="landing-outcomes" className="grid gap-3">
      <h2 id="landing-outcomes" className="text-lg font-medium">
        {landingSettingsStrings.outcomes}
      </h2>
      <p className="max-w-prose text-muted">{landingSettingsStrings.outcomesIntro}</p>
      {settings.outcomes.length === 0 ? (
        <p>{landingSettingsStrings.noOutcomes}</p>
      ) : (
        <ul className="grid list-disc gap-1 pl-5">
          {settings.outcomes.map(({ name, title }) => (
            <li key={`${name} ${title}`} className="wrap-anywhere">
              {landingSettingsStrings.outcome(title, name)}
            </li>
          ))}
        </ul>
      )}
      {settings.unanswered === 0 ? null : (
        <p className="text-muted">{landingSettingsStrings.unanswered(settings.unanswered)}</p>
      )}
      <p className="flex flex-wrap gap-x-6">
        <a className="underline underline-offset-4" href={paths.submissions}>
          {landingSettingsStrings.toSubmissions}
        </a>
        <a
          className="underline underline-offset-4"
          href={paths.landing}
          target="_blank"
          rel="noreferrer"
        >
          {landingSettingsStrings.open}
        </a>
      </p>
    </section>
  );
}
