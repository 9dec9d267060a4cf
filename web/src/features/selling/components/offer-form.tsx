import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { messageOf, tryAgain } from "@/lib/errors.ts";
import { useSave } from "@/lib/use-save.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { useFocusAfter } from "@/ui/use-focus-after.ts";
import { saveCourseOffer } from "../api/course-offers.ts";
import type { CourseOffer } from "../model/course-offer.ts";

const linesOf = (text: string) => text.split("\n").flatMap((line) => line.trim() || []);

const schema = z.object({
  slug: z
    .string()
    .check(
      z.regex(
        /^[a-z0-9]+(-[a-z0-9]+)*$/,
        "Use lower-case letters and digits, with hyphens between words.",
      ),
      z.minLength(3, "Use at least 3 characters."),
      z.maxLength(80, "Use at most 80 characters."),
    ),
  outcomes: z.string().check(
    z.refine((text) => linesOf(text).length > 0, "Write at least one line."),
    z.refine((text) => linesOf(text).length <= 8, "Write at most eight lines."),
    z.refine(
      (text) => linesOf(text).every((line) => line.length <= 160),
      "Keep each line to 160 characters.",
    ),
  ),
  freeModuleId: z.string().check(z.minLength(1, "Choose a lesson.")),
  isOnSale: z.boolean(),
});

/** What the public page of a course says, and whether it is there. */
export function OfferForm({
  offer,
  openedBy,
  onDone,
}: {
  readonly offer: CourseOffer;
  /** The id of the button that opened the form and is there again afterwards. */
  readonly openedBy: string;
  readonly onDone: () => void;
}) {
  const form = useFocusAfter<HTMLFormElement>(() => document.getElementById(openedBy));
  const { busy, issue, save } = useSave({
    describeError: (error) => messageOf(error, `It wasn't saved. ${tryAgain}`),
    onSaved: (done) => {
      toast.good(done);
      onDone();
    },
  });
  const { register, handleSubmit, setFocus, formState } = useForm({
    defaultValues: {
      slug: offer.slug ?? offer.suggestedSlug.slice(0, 80),
      outcomes: offer.outcomes.join("\n"),
      freeModuleId: offer.freeModuleId ?? offer.modules[0]?.id ?? "",
      isOnSale: offer.slug === null ? true : offer.isOnSale,
    },
    mode: "onTouched",
    resolver: zodResolver(schema),
  });
  const { errors } = formState;
  useEffect(() => setFocus("slug"), [setFocus]);
  const submit = handleSubmit(async ({ slug, outcomes, freeModuleId, isOnSale }) => {
    const change = { courseId: offer.courseId, slug, outcomes: linesOf(outcomes), freeModuleId };
    await save(
      (client) => saveCourseOffer(client, { ...change, isOnSale }),
      isOnSale || offer.endedReason !== null
        ? "The sale page is saved."
        : "The course is no longer on sale.",
    );
  });
  return (
    <form
      ref={form}
      noValidate
      aria-label={`Sale of ${offer.title}`}
      className="grid max-w-2xl grid-cols-1 gap-5 border-t border-line pt-5"
      onSubmit={(event) => void submit(event)}
    >
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <TextField
        label="Address of the page"
        hint={`${window.location.origin}/c/…`}
        error={errors.slug?.message}
        {...register("slug")}
      />
      <TextArea
        label="What you'll learn"
        hint="One per line, up to eight."
        rows={4}
        error={errors.outcomes?.message}
        {...register("outcomes")}
      />
      <SelectField
        label="Lesson that everyone may read"
        options={offer.modules.map(({ id, title }) => ({ value: id, label: title }))}
        error={errors.freeModuleId?.message}
        {...register("freeModuleId")}
      />
      {offer.endedReason === null ? (
        <CheckboxField
          label="On sale"
          hint="Shows your name, the syllabus and the free lesson to everyone. Buyers keep the course when you end the sale."
          {...register("isOnSale")}
        />
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={busy}>
          Save
        </Button>
        <Button variant="quiet" disabled={busy} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
