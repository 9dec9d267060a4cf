import { useState } from "react";
import { CheckboxField } from "./checkbox-field.tsx";
import { ChoiceCard } from "./choice-card.tsx";
import { FileDrop } from "./file-drop.tsx";
import { PasswordField } from "./password-field.tsx";
import { SelectField } from "./select-field.tsx";
import type { StoryGroup } from "./story.ts";
import { TextArea, TextField } from "./text-field.tsx";

function Files({ error }: { readonly error?: string }) {
  const [file, setFile] = useState<File | null>(null);
  return (
    <FileDrop
      label="Document"
      hint="JPG, PNG or PDF, up to 10 MB"
      accept=".jpg,.jpeg,.png,.pdf"
      file={file}
      onFile={setFile}
      error={error}
    />
  );
}

const options = [
  { value: "a", label: "The first" },
  { value: "b", label: "The second" },
];

export default {
  title: "Forms",
  stories: {
    "Text field": () => <TextField label="First name" hint="As on your document" name="first" />,
    "Text field with an error": () => (
      <TextField label="Email" error="Please enter a valid email address" defaultValue="ada@" />
    ),
    "Text field, optional and disabled": () => (
      <TextField label="Occupation" required={false} disabled defaultValue="Analyst" />
    ),
    "Password field": () => <PasswordField label="Password" defaultValue="Correct-Horse-9!" />,
    "Text area": () => (
      <TextArea label="What do you want to change?" hint="Two sentences will do" />
    ),
    "Select field": () => (
      <SelectField label="Kind" options={options} placeholder="Choose one" defaultValue="" />
    ),
    "Checkbox field": () => (
      <CheckboxField label="I agree to the terms" hint="You can read them first" defaultChecked />
    ),
    "Checkbox field with an error": () => (
      <CheckboxField label="I agree to the terms" error="Please agree to go on" />
    ),
    "File drop": () => <Files />,
    "File drop with an error": () => <Files error="File size must be less than 10 MB." />,
    "Choice cards": () => (
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="sr-only">Plan</legend>
        <ChoiceCard name="plan" value="a" title="Small" figure="£5" defaultChecked>
          <p className="text-sm text-muted">For one person.</p>
        </ChoiceCard>
        <ChoiceCard name="plan" value="b" title="Large" figure="£9">
          <p className="text-sm text-muted">For several.</p>
        </ChoiceCard>
      </fieldset>
    ),
  },
} satisfies StoryGroup;
