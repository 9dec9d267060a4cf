import { useState } from "react";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";

const collapseOverCharacters = 700;
const collapseOverLines = 9;

/** The text of a submission. A long one is collapsed. */
export function SubmissionText({ text }: { readonly text: string }) {
  const [open, setOpen] = useState(false);
  const long = text.length > collapseOverCharacters || text.split("\n").length > collapseOverLines;
  return (
    <div className="grid justify-items-start gap-1">
      <p
        dir="auto"
        className={classNames(
          "w-full max-w-prose break-words whitespace-pre-line",
          long && !open && "line-clamp-8",
        )}
      >
        {text}
      </p>
      {long ? (
        <Button
          variant="quiet"
          size="sm"
          className="-ml-3"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? "Show less" : "Show more"}
        </Button>
      ) : null}
    </div>
  );
}
