import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "@/ui/button.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { explainQuestionError, questionStrings } from "../strings.ts";

export interface WordsFormProps {
  readonly label: string;
  readonly hint?: string;
  readonly button: string;
  readonly maxLength: number;
  readonly initial?: string;
  /** Rejects when the words were not saved. */
  readonly onSend: (words: string) => Promise<void>;
}

const schema = z.object({
  words: z.string().check(z.trim(), z.minLength(1, questionStrings.wordsMissing)),
});

/** One field for a question or an answer. */
export function WordsForm({
  label,
  hint,
  button,
  maxLength,
  initial = "",
  onSend,
}: WordsFormProps) {
  const { register, handleSubmit, formState, setError, reset } = useForm({
    defaultValues: { words: initial },
    resolver: zodResolver(schema),
  });
  const submit = handleSubmit(async ({ words }) => {
    try {
      await onSend(words);
      reset();
    } catch (error) {
      console.error("The words were not sent", error);
      setError("words", { message: questionStrings.sendFailed(explainQuestionError(error)) });
    }
  });
  return (
    <form noValidate className="grid gap-3" onSubmit={(event) => void submit(event)}>
      <TextArea
        label={label}
        hint={hint}
        rows={3}
        maxLength={maxLength}
        error={formState.errors.words?.message}
        {...register("words")}
      />
      <Button
        type="submit"
        variant="secondary"
        className="justify-self-start"
        loading={formState.isSubmitting}
      >
        {button}
      </Button>
    </form>
  );
}
