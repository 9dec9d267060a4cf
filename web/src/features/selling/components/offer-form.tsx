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
import { offerFormStrings } from "../strings.ts";

const linesOf = (text: string) => text.split("\n").flatMap((line) => line.trim() || []);

const schema = z.object({
  slug: z
    .string()
    .check(
      z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, offerFormStrings.addressWrong),
      z.minLength(3, offerFormStrings.addressTooShort),
      z.maxLength(80, offerFormStrings.addressTooLong),
    ),
  outcomes: z.string().check(
    z.refine((text) => linesOf(text).length > 0, offerFormStrings.outcomesMissing),
    z.refine((text) => linesOf(text).length <= 8, offerFormStrings.outcomesTooMany),
    z.refine(
      (text) => linesOf(text).every((line) => line.length <= 160),
      offerFormStrings.outcomesTooLong,
    ),
  ),
  freeModuleId: z.string().check(z.minLength(1, offerFormStrings.freeLessonMissing)),
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
    describeError: (error) => messageOf(error, `${offerFormStrings.saveFailed} ${tryAgain}`),
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
      isOnSale || offer.endedReason !== null ? offerFormStrings.saved : offerFormStrings.ended,
    );
  });
  return (
    <form
      ref={form}
      noValidate
      aria-label={offerFormStrings.name(offer.title)}
      className="grid max-w-reading grid-cols-1 gap-5 border-t border-line pt-5"
      onSubmit={(event) => void submit(event)}
    >
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <TextField
        label={offerFormStrings.address}
        hint={`${window.location.origin}/c/…`}
        error={errors.slug?.message}
        {...register("slug")}
      />
      <TextArea
        label={offerFormStrings.outcomes}
        hint={offerFormStrings.outcomesHint}
        rows={4}
        error={errors.outcomes?.message}
        {...register("outcomes")}
      />
      <SelectField
        label={offerFormStrings.freeLesson}
        options={offer.modules.map(({ id, title }) => ({ value: id, label: title }))}
        error={errors.freeModuleId?.message}
        {...register("freeModuleId")}
      />
      {offer.endedReason === null ? (
        <CheckboxField
          label={offerFormStrings.onSale}
          hint={offerFormStrings.onSaleHint}
          {...register("isOnSale")}
        />
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={busy}>
          {offerFormStrings.save}
        </Button>
        <Button variant="quiet" disabled={busy} onClick={onDone}>
          {offerFormStrings.cancel}
        </Button>
      </div>
    </form>
  );
}
