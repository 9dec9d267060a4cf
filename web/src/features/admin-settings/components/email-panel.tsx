import { useDeferredValue, useState } from "react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import {
  setEmailText,
  type EmailDraft,
  type EmailSettings,
  type EmailTextSetting,
} from "../api/email-texts.ts";
import { useSaveSetting } from "../mutations.ts";
import { useEmails } from "../queries.ts";
import { emailSettingsStrings, emailTextLabel } from "../strings.ts";
import { EmailPreview } from "./email-preview.tsx";

/** The texts of one e-mail, with a preview of what is typed. */
export function EmailPanel({
  email,
  onDone,
}: {
  readonly email: EmailSettings;
  readonly onDone: () => void;
}) {
  const { busy, issue, save } = useSaveSetting();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const texts: Record<string, string | null> = {};
  for (const { key, standard } of email.texts) {
    const value = typed[key]?.trim();
    if (value !== undefined) texts[key] = value === standard ? null : value;
  }
  const changes = email.texts.filter(({ key, text }) => key in texts && texts[key] !== text);
  const draft = useDeferredValue(JSON.stringify(texts));
  const shown = useEmails(draft === "{}" ? undefined : toDraft(email.name, draft));
  const content = shown.data?.find(({ name }) => name === email.name)?.content ?? email.content;

  async function submit() {
    const saved = await save(async (client) => {
      for (const { key } of changes)
        await setEmailText(client, email.name, key, texts[key] ?? null);
    }, emailSettingsStrings.saved);
    if (saved) onDone();
  }

  const field = ({ key, standard, text, placeholders }: EmailTextSetting) => {
    const Control = key === "subject" || key === "heading" ? TextField : TextArea;
    const names = placeholders.map((name) => `{${name}}`).join(", ");
    const value = typed[key] ?? text ?? standard;
    return (
      <div key={key} className="grid justify-items-start gap-1">
        <Control
          fieldClassName="w-full"
          label={emailTextLabel(key)}
          hint={names === "" ? undefined : emailSettingsStrings.mayContain(names)}
          maxLength={key === "subject" ? 78 : key === "heading" ? 100 : 1000}
          value={value}
          onChange={(event: { target: { value: string } }) =>
            setTyped((before) => ({ ...before, [key]: event.target.value }))
          }
        />
        {value === standard ? null : (
          <Button
            variant="quiet"
            size="sm"
            onClick={() => setTyped((before) => ({ ...before, [key]: standard }))}
          >
            {emailSettingsStrings.restoreDefault(emailTextLabel(key))}
          </Button>
        )}
      </div>
    );
  };

  return (
    <form
      className="grid gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {email.texts.map(field)}
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <Button
        type="submit"
        className="justify-self-start"
        loading={busy}
        disabled={changes.length === 0}
      >
        {emailSettingsStrings.save}
      </Button>
      <EmailPreview content={content} />
    </form>
  );
}

function toDraft(template: string, texts: string): EmailDraft {
  return { template, texts: JSON.parse(texts) as EmailDraft["texts"] };
}
