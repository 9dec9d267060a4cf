import { useState } from "react";
import { categories, type Category } from "@/domain/categories.ts";
import { sections } from "@/domain/library-paths.ts";
import { topicIconNames } from "@/features/library/index.ts";
import { Button } from "@/ui/button.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import {
  createSubcategory,
  editSubcategory,
  type ContentSubcategory,
  type SubcategoryFields,
} from "../api/subcategories.ts";
import { changedFields } from "../model/changed-fields.ts";
import { useSaveContent } from "../mutations.ts";
import { subcategoryContentStrings } from "../strings.ts";
import { HideDialog } from "./hide-dialog.tsx";
import { fieldText, PanelForm } from "./panel-form.tsx";

const categoryOptions = categories.map((each) => ({ value: each, label: sections[each].name }));

/** Edits a subcategory, or makes a new one when `subcategory` is null. */
export function SubcategoryPanel({
  subcategory,
  onDone,
}: {
  readonly subcategory: ContentSubcategory | null;
  readonly onDone: () => void;
}) {
  const { busy, issue, save } = useSaveContent();
  const [asking, setAsking] = useState(false);
  const [category, setCategory] = useState<Category>(subcategory?.category ?? "general");
  const icons = new Set([...(subcategory ? [subcategory.icon] : []), ...topicIconNames(category)]);

  async function submit(form: FormData) {
    const fields: SubcategoryFields = {
      name: fieldText(form, "name"),
      description: fieldText(form, "description"),
      color: fieldText(form, "color"),
      icon: fieldText(form, "icon"),
      order: Number(fieldText(form, "order")),
    };
    const saved = subcategory
      ? await save(
          (client) =>
            editSubcategory(client, subcategory.id, changedFields(fieldsOf(subcategory), fields)),
          subcategoryContentStrings.saved(fields.name),
        )
      : await save(
          (client) => createSubcategory(client, category, fieldText(form, "slug"), fields),
          subcategoryContentStrings.created(fields.name),
        );
    if (saved) onDone();
  }

  async function setActive(current: ContentSubcategory, isActive: boolean) {
    const done = isActive
      ? subcategoryContentStrings.shownDone(current.name)
      : subcategoryContentStrings.hiddenDone(current.name);
    const saved = await save((client) => editSubcategory(client, current.id, { isActive }), done);
    setAsking(false);
    if (saved) onDone();
  }

  return (
    <>
      <PanelForm
        saveLabel={subcategory ? subcategoryContentStrings.save : subcategoryContentStrings.create}
        busy={busy}
        issue={issue}
        onSave={(form) => void submit(form)}
        actions={
          subcategory === null ? null : subcategory.isActive ? (
            <Button variant="secondary" disabled={busy} onClick={() => setAsking(true)}>
              {subcategoryContentStrings.hide}
            </Button>
          ) : (
            <Button
              variant="secondary"
              disabled={busy}
              onClick={() => void setActive(subcategory, true)}
            >
              {subcategoryContentStrings.show}
            </Button>
          )
        }
      >
        {subcategory ? null : (
          <>
            <SelectField
              name="category"
              label={subcategoryContentStrings.category}
              options={categoryOptions}
              value={category}
              onChange={(event) =>
                setCategory(categories.find((each) => each === event.target.value) ?? "general")
              }
            />
            <TextField
              name="slug"
              label={subcategoryContentStrings.address}
              hint={subcategoryContentStrings.addressHint}
              pattern="[a-z0-9]+(-[a-z0-9]+)*"
              maxLength={80}
              required
            />
          </>
        )}
        <TextField
          name="name"
          label={subcategoryContentStrings.name}
          maxLength={80}
          required
          defaultValue={subcategory?.name}
        />
        <TextArea
          name="description"
          label={subcategoryContentStrings.description}
          rows={3}
          maxLength={300}
          required={false}
          defaultValue={subcategory?.description}
        />
        <TextField
          name="color"
          label={subcategoryContentStrings.colour}
          type="color"
          className="p-1"
          defaultValue={subcategory?.color ?? "#64748b"}
        />
        <SelectField
          name="icon"
          label={subcategoryContentStrings.icon}
          options={[...icons].map((name) => ({ value: name, label: name.replaceAll("-", " ") }))}
          defaultValue={subcategory?.icon}
        />
        <TextField
          name="order"
          label={subcategoryContentStrings.place}
          hint={subcategoryContentStrings.placeHint}
          type="number"
          min={-1000}
          max={10_000}
          step={1}
          required
          defaultValue={subcategory?.order ?? 0}
        />
      </PanelForm>
      {subcategory ? (
        <HideDialog
          open={asking}
          onOpenChange={setAsking}
          title={subcategoryContentStrings.hideQuestion(subcategory.name)}
          description={subcategoryContentStrings.hideText}
          confirmLabel={subcategoryContentStrings.hide}
          removals={[
            { kind: "articles", category: subcategory.category, count: subcategory.articles },
            { kind: "courses", category: subcategory.category, count: subcategory.courses },
          ]}
          busy={busy}
          onConfirm={() => void setActive(subcategory, false)}
        />
      ) : null}
    </>
  );
}

function fieldsOf(subcategory: ContentSubcategory): SubcategoryFields {
  const { name, description, color, icon, order } = subcategory;
  return { name, description, color, icon, order };
}
