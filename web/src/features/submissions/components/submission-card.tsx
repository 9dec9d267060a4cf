import { Heart, MessageCircle, Star } from "lucide-react";
import { useState } from "react";
import { PactLine, type ShownPact } from "@/features/pacts/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { tryAgain } from "@/lib/errors.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { toast } from "@/ui/toast.tsx";
import { publicImageUrl } from "../api/image-url.ts";
import type { Comment } from "../model/comment.ts";
import type { Submission } from "../model/submission.ts";
import { rateLimitMessage } from "../model/rate-limit-message.ts";
import { useSubmissionActions } from "../mutations.ts";
import { submissionCardStrings } from "../strings.ts";
import { Byline } from "./byline.tsx";
import { Comments } from "./comments.tsx";
import { FirstComment } from "./first-comment.tsx";
import { SubmissionMenu } from "./submission-menu.tsx";
import { SubmissionText } from "./submission-text.tsx";
import { accentOf, TypeBadge } from "./type-badge.tsx";

/** One submission with its actions and comments. */
export function SubmissionCard({
  submission,
  pact,
  firstComment,
  showsComments = false,
}: {
  readonly submission: Submission;
  /** The pact it is, or is the outcome of. */
  readonly pact: ShownPact | undefined;
  /** Shown while the comments are closed. */
  readonly firstComment?: Comment | undefined;
  readonly showsComments?: boolean | undefined;
}) {
  const { client } = useBackend();
  const { like } = useSubmissionActions(submission);
  const [talking, setTalking] = useState(showsComments);
  // Stays mounted after the first opening, so that closing keeps an unsent comment.
  const [opened, setOpened] = useState(showsComments);
  const { id, type, title, featured, likeCount, likedByMe, commentCount, author } = submission;
  const image = submission.imageUrl === null ? null : publicImageUrl(client, submission.imageUrl);
  const commentsId = `comments-${id}`;

  async function toggleLike() {
    try {
      await like(!likedByMe);
    } catch (error) {
      console.error("The like was not saved", error);
      toast.danger(submissionCardStrings.likeFailed(rateLimitMessage(error) ?? tryAgain));
    }
  }

  return (
    <article
      data-row={id}
      tabIndex={-1}
      aria-labelledby={`submission-${id}`}
      className={classNames(
        "grid grid-cols-1 gap-4 rounded-card border border-l-4 border-line border-l-accent bg-raised p-5 sm:p-6",
        accentOf(type),
      )}
    >
      <div className="flex items-start justify-between gap-3">
        <Byline author={author} createdAt={submission.createdAt} edited={submission.edited} />
        <SubmissionMenu submission={submission} />
      </div>
      <div className="grid grid-cols-1 gap-2">
        <div className="mb-1 flex flex-wrap gap-2">
          <TypeBadge type={type} />
          {featured ? (
            <Badge colour="warn" icon={<Star aria-hidden className="size-3" />}>
              {submissionCardStrings.featured}
            </Badge>
          ) : null}
        </div>
        <h2 id={`submission-${id}`} dir="auto" className="display text-xl wrap-anywhere">
          {title}
        </h2>
        <SubmissionText submission={submission} />
        {pact ? <PactLine pact={pact} /> : null}
      </div>
      {image === null ? null : (
        <a
          href={image}
          target="_blank"
          rel="noreferrer"
          className="block overflow-hidden rounded-control bg-sunken"
        >
          <img
            src={image}
            alt={submissionCardStrings.pictureAlt(author.name, title)}
            loading="lazy"
            className="aspect-video w-full object-cover"
          />
        </a>
      )}
      <div className="-mx-3 -mb-2 flex flex-wrap items-center gap-1">
        <Button
          variant="quiet"
          aria-pressed={likedByMe}
          className="px-3"
          onClick={() => void toggleLike()}
        >
          <Heart
            aria-hidden
            className={classNames("size-4.5", likedByMe ? "fill-danger text-danger" : "text-muted")}
          />
          {submissionCardStrings.like} <span className="tabular text-muted">{likeCount}</span>
        </Button>
        <Button
          variant="quiet"
          aria-expanded={talking}
          aria-controls={commentsId}
          className="px-3"
          onClick={() => {
            setTalking(!talking);
            setOpened(true);
          }}
        >
          <MessageCircle aria-hidden className="size-4.5 text-muted" />
          {submissionCardStrings.comments}{" "}
          <span className="tabular text-muted">{commentCount}</span>
        </Button>
      </div>
      {firstComment && commentCount > 0 && !talking ? (
        <FirstComment comment={firstComment} />
      ) : null}
      <div id={commentsId} hidden={!talking}>
        {opened ? <Comments submission={submission} /> : null}
      </div>
    </article>
  );
}
