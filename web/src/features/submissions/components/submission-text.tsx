import { useState } from "react";
import { MemberText } from "@/features/mentions/index.ts";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import type { Submission } from "../model/submission.ts";
import { submissionCardStrings } from "../strings.ts";

const collapseOverCharacters = 480;
const collapseOverLines = 7;

/** The text of a submission. A long one is collapsed. */
export function SubmissionText({
  submission: { id, content, createdAt },
}: {
  readonly submission: Submission;
}) {
  const [open, setOpen] = useState(false);
  const long =
    content.length > collapseOverCharacters || content.split("\n").length > collapseOverLines;
  const collapsed = long && !open;
  return (
    <div className="grid grid-cols-1 justify-items-start gap-1">
      <div
        className={classNames(
          "w-full",
          collapsed &&
            "max-h-36 overflow-hidden [mask-image:linear-gradient(black_75%,transparent)]",
        )}
      >
        <MemberText
          subjectId={id}
          createdAt={Date.parse(createdAt)}
          content={content}
          linksFocusable={!collapsed}
        />
      </div>
      {long ? (
        <Button
          variant="quiet"
          size="sm"
          className="-ml-3"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? submissionCardStrings.showLess : submissionCardStrings.showMore}
        </Button>
      ) : null}
    </div>
  );
}
