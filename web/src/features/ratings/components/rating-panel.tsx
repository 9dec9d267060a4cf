import { zodResolver } from "@hookform/resolvers/zod";
import { Star } from "lucide-react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { maxRatingSentence } from "@/domain/rating.ts";
import { Button } from "@/ui/button.tsx";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import type { RatedText, TextRating } from "../model/rating.ts";
import { useRateText } from "../mutations.ts";
import { useRating } from "../queries.ts";
import { explainRatingError, ratingStrings, starNames } from "../strings.ts";

/** One to five stars and a sentence, for a member who has finished the text; nothing for all others. */
export function RatingPanel({ text }: { readonly text: RatedText }) {
  const { data } = useRating(text);
  if (data?.may_rate !== true) return null;
  return <RatingForm text={text} own={data.own} />;
}

const schema = z.object({
  stars: z.string().check(z.regex(/^[1-5]$/, ratingStrings.choose)),
  sentence: z.string().check(z.trim()),
  mayQuote: z.boolean(),
});

function RatingForm({ text, own }: { readonly text: RatedText; readonly own: TextRating["own"] }) {
  const rate = useRateText(text);
  const { register, handleSubmit, formState, setError, control } = useForm({
    // Also when the rating was changed on another device.
    values: {
      stars: own === null ? "" : String(own.stars),
      sentence: own?.sentence ?? "",
      mayQuote: own?.may_quote ?? false,
    },
    resolver: zodResolver(schema),
  });
  const chosen = Number(useWatch({ control, name: "stars" }));
  const submit = handleSubmit(async ({ stars, sentence, mayQuote }) => {
    try {
      await rate(Number(stars), sentence, mayQuote);
      toast.good(ratingStrings.saved);
    } catch (error) {
      console.error("The rating was not saved", error);
      setError("sentence", { message: `${ratingStrings.failed} ${explainRatingError(error)}` });
    }
  });
  const title =
    text.articleId === undefined ? ratingStrings.courseTitle : ratingStrings.articleTitle;
  return (
    <section
      aria-labelledby="rating"
      className="grid w-full max-w-reading grid-cols-1 gap-4 border-t border-line pt-7 print:hidden"
    >
      <h2 id="rating" className="display text-2xl">
        {title}
      </h2>
      <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <fieldset className="grid gap-1" aria-describedby={formState.errors.stars && "stars-error"}>
          <legend className="mb-1 text-sm font-medium">{ratingStrings.stars}</legend>
          <div className="flex flex-wrap items-center gap-x-3">
            <div className="-ml-2 flex">
              {starNames.map((name, index) => (
                <label
                  key={name}
                  className="grid size-11 cursor-pointer place-items-center rounded-control has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent"
                >
                  <input
                    type="radio"
                    value={index + 1}
                    aria-label={name}
                    className="sr-only"
                    {...register("stars")}
                  />
                  <Star
                    aria-hidden
                    className={`size-7 ${index < chosen ? "fill-current text-warn" : "text-muted"}`}
                    strokeWidth={1.5}
                  />
                </label>
              ))}
            </div>
            <span aria-hidden className="text-sm text-muted">
              {starNames[chosen - 1] ?? ""}
            </span>
          </div>
          {formState.errors.stars ? (
            <p id="stars-error" role="alert" className="text-sm text-danger">
              {formState.errors.stars.message}
            </p>
          ) : null}
        </fieldset>
        <TextField
          label={ratingStrings.sentence}
          hint={ratingStrings.sentenceHint}
          maxLength={maxRatingSentence}
          error={formState.errors.sentence?.message}
          {...register("sentence")}
        />
        {text.courseId === undefined ? null : (
          <CheckboxField
            label={ratingStrings.mayQuote}
            hint={ratingStrings.mayQuoteHint}
            {...register("mayQuote")}
          />
        )}
        <Button
          type="submit"
          variant="secondary"
          className="justify-self-start"
          loading={formState.isSubmitting}
        >
          {own === null ? ratingStrings.save : ratingStrings.change}
        </Button>
      </form>
    </section>
  );
}
