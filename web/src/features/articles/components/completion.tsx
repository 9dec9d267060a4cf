import { Check, CircleCheck } from "lucide-react";
import { useEffect, useRef, type RefObject } from "react";
import { libraryStrings } from "@/features/library/index.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { articleStrings } from "../strings.ts";

export interface CompletionProps {
  readonly isRead: boolean;
  readonly marking: boolean;
  readonly onMark: () => void;
}

/** Moves the focus to the container when the pressed button disappears. */
function useFocusAfter(isRead: boolean): {
  place: RefObject<HTMLDivElement | null>;
  pressed: () => void;
} {
  const place = useRef<HTMLDivElement>(null);
  const wanted = useRef(false);
  useEffect(() => {
    if (!isRead || !wanted.current) return;
    wanted.current = false;
    place.current?.focus({ preventScroll: true });
  }, [isRead]);
  return {
    place,
    pressed: () => {
      wanted.current = true;
    },
  };
}

function MarkButton({
  marking,
  onMark,
  variant,
  size = "md",
}: Omit<CompletionProps, "isRead"> & {
  readonly variant: "secondary" | "accent";
  readonly size?: "sm" | "md";
}) {
  return (
    <Button variant={variant} size={size} loading={marking} onClick={onMark}>
      {marking ? null : <Check aria-hidden className="size-4" />}
      {libraryStrings.markAsRead}
    </Button>
  );
}

/** At the top of an article: the button, later the badge. It is quiet there; the solid one waits at the end. */
export function CompletionMark({ isRead, marking, onMark }: CompletionProps) {
  const { place, pressed } = useFocusAfter(isRead);
  return (
    <div ref={place} tabIndex={-1} className="shrink-0 rounded-full print:hidden">
      {isRead ? (
        <Badge
          colour="good"
          className="px-3 py-1 text-sm"
          icon={<CircleCheck aria-hidden className="size-4" />}
        >
          {libraryStrings.completed}
        </Badge>
      ) : (
        <MarkButton
          variant="secondary"
          size="sm"
          marking={marking}
          onMark={() => {
            pressed();
            onMark();
          }}
        />
      )}
    </div>
  );
}

export interface CompleteBoxProps extends CompletionProps {
  /** One's own article, which counts for no level. */
  readonly isOwn: boolean;
}

/** The box at the end of an article with the same button. */
export function CompleteBox({ isOwn, isRead, marking, onMark }: CompleteBoxProps) {
  const { place, pressed } = useFocusAfter(isRead);
  return (
    <section
      aria-labelledby="complete-article"
      className="wash flex flex-wrap items-center justify-between gap-4 rounded-card border border-line p-5 sm:p-6 print:hidden"
    >
      <div ref={place} tabIndex={-1} className="grid gap-1 rounded-control">
        <h2 id="complete-article" className="display text-xl">
          {isRead ? articleStrings.readTitle : libraryStrings.completeArticle}
        </h2>
        <p className="text-sm text-muted">
          {isOwn
            ? articleStrings.ownText
            : isRead
              ? articleStrings.readText
              : articleStrings.unreadText}
        </p>
      </div>
      {isRead ? null : (
        <MarkButton
          variant="accent"
          marking={marking}
          onMark={() => {
            pressed();
            onMark();
          }}
        />
      )}
    </section>
  );
}
