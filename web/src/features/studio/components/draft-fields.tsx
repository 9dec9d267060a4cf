import { lazy, Suspense, useState } from "react";
import { categories, type Category } from "@/domain/categories.ts";
import { sections } from "@/domain/library-paths.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { tagsIn, type DraftContent, type DraftKind } from "../model/draft.ts";
import type { DraftIssue } from "../model/studio-errors.ts";
import { useStudioSubcategories } from "../queries.ts";
import { draftFieldsStrings } from "../strings/draft.ts";
import type { CoverChoice } from "../use-cover-choice.ts";
import { draftFieldId } from "../find-draft-field.ts";
import { CoverField } from "./cover-field.tsx";
import { NumberField } from "./number-field.tsx";

const ExcerptSuggestion = lazy(() => import("./excerpt-suggestion.tsx"));

export interface DraftFieldsProps {
  readonly kind: DraftKind;
  readonly content: DraftContent;
  /** Address and subcategory stay once they are published. */
  readonly placeIsFixed: boolean;
  readonly issues: readonly DraftIssue[];
  readonly coverChoice: CoverChoice;
  readonly onChange: (changes: Partial<DraftContent>) => void;
}

/** Everything about a text but its title and the text itself. */
export function DraftFields(props: DraftFieldsProps) {
  const { kind, content, placeIsFixed, issues, coverChoice, onChange } = props;
  const errorOf = (field: string) => issues.find((issue) => issue.field === field)?.message;
  return (
    <section aria-label={draftFieldsStrings.section} className="grid grid-cols-1 gap-4">
      <Place {...props} error={errorOf("subcategory_id")} />
      <div className="grid gap-2">
        <TextArea
          id={draftFieldId("excerpt")}
          label={draftFieldsStrings.excerptLabel(kind)}
          hint={draftFieldsStrings.excerptHint(kind)}
          rows={2}
          maxLength={2000}
          value={content.excerpt}
          error={errorOf("excerpt")}
          onChange={(event) => onChange({ excerpt: event.target.value })}
        />
        {content.excerpt.trim() === "" ? (
          <Suspense fallback={null}>
            <ExcerptSuggestion
              kind={kind}
              content={content}
              onUse={(excerpt) => onChange({ excerpt })}
            />
          </Suspense>
        ) : null}
      </div>
      <TextField
        id={draftFieldId("slug")}
        label={draftFieldsStrings.address}
        hint={placeIsFixed ? draftFieldsStrings.addressFixed : draftFieldsStrings.addressHint}
        maxLength={120}
        disabled={placeIsFixed}
        value={content.slug}
        error={errorOf("slug")}
        onChange={(event) => onChange({ slug: event.target.value })}
      />
      {kind === "article" ? (
        <Tags tags={content.tags} error={errorOf("tags")} onChange={(tags) => onChange({ tags })} />
      ) : (
        <CourseFields content={content} onChange={onChange} />
      )}
      <CoverField
        content={content}
        error={errorOf("cover")}
        choice={coverChoice}
        onRemove={() => onChange({ cover: null })}
      />
    </section>
  );
}

function Place({
  content,
  placeIsFixed,
  error,
  onChange,
}: DraftFieldsProps & { readonly error: string | undefined }) {
  const { data, isError, isFetching, refetch } = useStudioSubcategories();
  const chosen = data?.find(({ id }) => id === content.subcategoryId);
  const [picked, setPicked] = useState<Category>("general");
  const category = chosen?.category ?? picked;
  if (isError && !data) {
    return (
      <LoadFailed
        title={draftFieldsStrings.subcategoriesFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <>
      <SelectField
        label={draftFieldsStrings.category}
        disabled={placeIsFixed || !data}
        value={category}
        options={categories.map((each) => ({
          value: each,
          label: draftFieldsStrings.categoryOption(sections[each].level, sections[each].name),
        }))}
        onChange={(event) => {
          setPicked(categories.find((each) => each === event.target.value) ?? "general");
          onChange({ subcategoryId: null });
        }}
      />
      <SelectField
        id={draftFieldId("subcategory_id")}
        label={draftFieldsStrings.subcategory}
        placeholder={draftFieldsStrings.chooseSubcategory}
        disabled={placeIsFixed || !data}
        value={chosen?.id ?? ""}
        error={error}
        options={(data ?? [])
          .filter((each) => each.category === category)
          .map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => onChange({ subcategoryId: event.target.value || null })}
      />
    </>
  );
}

function Tags({
  tags,
  error,
  onChange,
}: {
  readonly tags: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (tags: readonly string[]) => void;
}) {
  // What is typed keeps its commas and spaces; the tags are what is between them.
  const [line, setLine] = useState(tags.join(", "));
  return (
    <TextField
      id={draftFieldId("tags")}
      label={draftFieldsStrings.tags}
      hint={draftFieldsStrings.tagsHint}
      maxLength={200}
      value={line}
      error={error}
      onChange={(event) => {
        setLine(event.target.value);
        onChange(tagsIn(event.target.value));
      }}
    />
  );
}

const difficulties = ["beginner", "intermediate", "advanced"] as const;

function CourseFields({
  content,
  onChange,
}: {
  readonly content: DraftContent;
  readonly onChange: (changes: Partial<DraftContent>) => void;
}) {
  return (
    <>
      <SelectField
        label={draftFieldsStrings.difficulty}
        hint={draftFieldsStrings.difficultyHint}
        value={content.difficulty}
        options={difficulties.map((each) => ({
          value: each,
          label: `${each.slice(0, 1).toUpperCase()}${each.slice(1)}`,
        }))}
        onChange={(event) =>
          onChange({
            difficulty: difficulties.find((each) => each === event.target.value) ?? "beginner",
          })
        }
      />
      <NumberField
        label={draftFieldsStrings.price}
        hint={draftFieldsStrings.priceHint}
        wrong={draftFieldsStrings.priceWrong}
        min={0}
        max={999999}
        step="0.01"
        defaultValue={content.price}
        required
        onNumber={(price) => onChange({ price: price ?? 0 })}
      />
    </>
  );
}
