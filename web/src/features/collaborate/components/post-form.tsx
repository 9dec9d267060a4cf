import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { maxTopicCharacters, maxTopics, splitTopics } from "@/features/people/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { countCharacters, countingNote } from "@/domain/character-count.ts";
import { newId } from "@/lib/uuid.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { useFocusAfter } from "@/ui/use-focus-after.ts";
import { maxPostDetailsLength, maxPostTitleLength, postKinds, type Post } from "../model/post.ts";
import { storedPost, type KeptPost } from "../model/stored-post.ts";
import { usePostActions } from "../mutations.ts";
import { explainPostError, postFormStrings } from "../strings.ts";

const atMost = (length: number, message: string) =>
  z.superRefine<string>((text, context) => {
    if (countCharacters(text.trim()) <= length) return;
    context.addIssue({ code: "custom", message: `${message} ${countingNote(text)}`.trim() });
  });

const schema = z.object({
  kind: z.enum(postKinds),
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, postFormStrings.titleMissing),
      atMost(maxPostTitleLength, postFormStrings.titleTooLong(maxPostTitleLength)),
    ),
  details: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, postFormStrings.detailsMissing),
      atMost(maxPostDetailsLength, postFormStrings.detailsTooLong(maxPostDetailsLength)),
    ),
  topics: z.string().check(
    z.refine(
      (typed) => splitTopics(typed).length <= maxTopics,
      postFormStrings.topicsTooMany(maxTopics),
    ),
    z.refine(
      (typed) => splitTopics(typed).every((topic) => topic.length <= maxTopicCharacters),
      postFormStrings.topicTooLong(maxTopicCharacters),
    ),
  ),
});

const kindOptions = [
  { value: "request", label: postFormStrings.request },
  { value: "offer", label: postFormStrings.offer },
];

/** A new post, or changes to an open one. What was typed is kept in this tab until it is saved or cancelled. */
export function PostForm({
  post,
  openedBy,
  onDone,
}: {
  /** Null for a new one. */
  readonly post: Post | null;
  /** The id of the button that opened the form and is there again afterwards. */
  readonly openedBy: string;
  readonly onDone: () => void;
}) {
  const form = useFocusAfter<HTMLFormElement>(() => document.getElementById(openedBy));
  const { save } = usePostActions();
  const userId = useUserId();
  const place = post?.id ?? "new";
  const [stored] = useState(() => storedPost.read(userId, place));
  const [id] = useState(() => post?.id ?? stored?.id ?? newId());
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, getValues, setFocus, formState } = useForm({
    defaultValues: stored ?? {
      kind: post?.kind ?? "request",
      title: post?.title ?? "",
      details: post?.details ?? "",
      topics: post?.topics.join(", ") ?? "",
    },
    resolver: zodResolver(schema),
  });
  const { errors, isSubmitting } = formState;
  useEffect(() => setFocus("kind"), [setFocus]);
  const keep = { onChange: () => keepDraft({ ...getValues(), id }) };

  function keepDraft(draft: KeptPost | null): void {
    storedPost.keep(draft, userId, place);
  }

  function close(): void {
    keepDraft(null);
    onDone();
  }

  const submit = handleSubmit(async (values) => {
    setFailure(null);
    try {
      await save({ ...values, id, topics: splitTopics(values.topics) });
      close();
    } catch (error) {
      console.error("The post was not saved", error);
      setFailure(`${postFormStrings.saveFailed} ${explainPostError(error)}`);
    }
  });

  return (
    <Card>
      <form
        ref={form}
        noValidate
        aria-label={post ? postFormStrings.editPost : postFormStrings.newPost}
        className="grid grid-cols-1 gap-5"
        onSubmit={(event) => void submit(event)}
      >
        <SelectField
          label={postFormStrings.kind}
          options={kindOptions}
          fieldClassName="sm:max-w-80"
          {...register("kind", keep)}
        />
        <TextField
          label={postFormStrings.title}
          hint={postFormStrings.titleHint}
          autoComplete="off"
          error={errors.title?.message}
          {...register("title", keep)}
        />
        <TextArea
          label={postFormStrings.details}
          hint={postFormStrings.detailsHint}
          rows={4}
          error={errors.details?.message}
          {...register("details", keep)}
        />
        <TextField
          label={postFormStrings.topics}
          hint={postFormStrings.topicsHint(maxTopics)}
          error={errors.topics?.message}
          {...register("topics", keep)}
        />
        {failure === null ? null : <Alert tone="danger">{failure}</Alert>}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" loading={isSubmitting}>
            {post ? postFormStrings.saveChanges : postFormStrings.post}
          </Button>
          <Button variant="quiet" onClick={close}>
            {postFormStrings.cancel}
          </Button>
        </div>
      </form>
    </Card>
  );
}
