import { ArrowLeft, ArrowRight, Keyboard } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { letterKeysWanted, setLetterKeysWanted } from "@/domain/letter-keys.ts";
import { Button } from "@/ui/button.tsx";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { classNames } from "@/ui/class-names.ts";
import { Dialog } from "@/ui/dialog.tsx";
import { readingStrings } from "../strings.ts";
import { useReadingKeys } from "../use-reading-keys.ts";
import { useReadingPosition } from "../use-reading-position.ts";
import { ReadingText } from "./reading-text.tsx";

/** The text before or after this one. */
export interface Neighbour {
  readonly title: string;
  readonly to: string;
}

export interface ReadingFrameProps {
  /** Names reader and text. */
  readonly textId: string;
  readonly markdown: string;
  readonly previous: Neighbour | null;
  readonly next: Neighbour | null;
  /** Between the text and the way on. */
  readonly children?: ReactNode;
}

/** A text with all that reading takes: place, progress along the edge, keys, and the way on. */
export function ReadingFrame({ textId, markdown, previous, next, children }: ReadingFrameProps) {
  const navigate = useNavigate();
  const { textRef, barRef, onShown, earlier, goToEarlier } = useReadingPosition(textId);
  const [helpOpen, setHelpOpen] = useState(false);
  const [letters, setLetters] = useState(letterKeysWanted);
  const keys = useMemo(
    () => ({
      letters,
      help: () => setHelpOpen(true),
      next: next === null ? undefined : () => void navigate(next.to),
      previous: previous === null ? undefined : () => void navigate(previous.to),
    }),
    [letters, navigate, next, previous],
  );
  useReadingKeys(keys);
  return (
    <>
      <div
        aria-hidden
        ref={barRef}
        data-reading-progress
        className="fixed inset-x-0 top-14 z-20 h-0.75 origin-left scale-x-(--read) bg-accent lg:top-16 lg:left-[15.5rem] print:hidden"
        style={{ "--read": 0 } as React.CSSProperties}
      />
      {earlier === null ? null : (
        <Button variant="secondary" size="sm" className="print:hidden" onClick={goToEarlier}>
          {readingStrings.resume(Math.round(earlier * 100))}
        </Button>
      )}
      <div ref={textRef}>
        <ReadingText markdown={markdown} onShown={onShown} />
      </div>
      {children}
      <nav
        aria-label={readingStrings.way}
        className="grid gap-3 border-t border-line pt-6 sm:grid-cols-2 print:hidden"
      >
        {previous === null ? <span className="hidden sm:block" /> : <Way to={previous} back />}
        {next === null ? null : <Way to={next} />}
      </nav>
      <div className="hidden sm:block print:hidden">
        <Button variant="quiet" size="sm" className="-ml-3" onClick={() => setHelpOpen(true)}>
          <Keyboard aria-hidden className="size-4" /> {readingStrings.keyboard}
        </Button>
      </div>
      <Dialog
        open={helpOpen}
        onOpenChange={setHelpOpen}
        title={readingStrings.keysTitle}
        description={readingStrings.keysText}
      >
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-3 text-sm">
          <Keys names={["j", "→"]}>{readingStrings.next}</Keys>
          <Keys names={["k", "←"]}>{readingStrings.previous}</Keys>
          <Keys names={["?"]}>{readingStrings.helpKey}</Keys>
          <Keys names={readingStrings.searchKeys}>{readingStrings.searchKey}</Keys>
        </dl>
        <CheckboxField
          className="mt-5"
          label={readingStrings.letters}
          checked={letters}
          onChange={(event) => {
            setLetterKeysWanted(event.currentTarget.checked);
            setLetters(event.currentTarget.checked);
          }}
        />
      </Dialog>
    </>
  );
}

function Way({ to, back = false }: { readonly to: Neighbour; readonly back?: boolean }) {
  const Arrow = back ? ArrowLeft : ArrowRight;
  return (
    <Link
      to={to.to}
      rel={back ? "prev" : "next"}
      aria-label={
        back ? readingStrings.previousLabel(to.title) : readingStrings.nextLabel(to.title)
      }
      className={classNames(
        "grid gap-1 rounded-card border border-line bg-raised p-4 transition-colors hover:border-control-line",
        back ? "" : "sm:col-start-2 sm:text-right",
      )}
    >
      <span
        className={classNames(
          "flex items-center gap-1.5 text-sm text-muted",
          back ? "" : "sm:flex-row-reverse",
        )}
      >
        <Arrow aria-hidden className="size-4" />
        {back ? readingStrings.previous : readingStrings.next}
      </span>{" "}
      <span className="font-medium">{to.title}</span>
    </Link>
  );
}

function Keys({
  names,
  children,
}: {
  readonly names: readonly string[];
  readonly children: string;
}) {
  return (
    <>
      <dt className="flex gap-1.5">
        {names.map((name) => (
          <kbd
            key={name}
            className="min-w-7 rounded-md border border-control-line bg-sunken px-1.5 py-0.5 text-center font-sans text-xs"
          >
            {name}
          </kbd>
        ))}
      </dt>
      <dd>{children}</dd>
    </>
  );
}
