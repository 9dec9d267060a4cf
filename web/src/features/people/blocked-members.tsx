import { createContext, use, useMemo, useState, type ReactNode } from "react";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { useBlocks } from "./queries.ts";
import { peopleStrings } from "./strings.ts";

const BlockedIds = createContext<ReadonlySet<string>>(new Set());

/** Knows whom the reader has blocked, for what members wrote inside. */
export function BlockedMembers({ children }: { readonly children: ReactNode }) {
  const { data } = useBlocks();
  const ids = useMemo(() => new Set((data ?? []).map(({ id }) => id)), [data]);
  return <BlockedIds value={ids}>{children}</BlockedIds>;
}

/** Whether the reader has blocked a member. Needs {@link BlockedMembers} above. */
export function useIsBlocked(memberId: string): boolean {
  return use(BlockedIds).has(memberId);
}

/** The members the reader has blocked. Needs {@link BlockedMembers} above. */
export function useBlockedIds(): ReadonlySet<string> {
  return use(BlockedIds);
}

/** Folds away what a blocked member wrote, until the reader asks for it. */
export function FoldBlocked({
  authorId,
  tabIndex,
  className,
  children,
}: {
  readonly authorId: string;
  readonly tabIndex?: number | undefined;
  /** Of the line that stands for it. */
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  const blocked = useIsBlocked(authorId);
  const [shown, setShown] = useState(false);
  if (!blocked || shown) return children;
  return (
    <p
      className={classNames(
        "flex flex-wrap items-center gap-x-2 text-sm text-muted italic",
        className,
      )}
    >
      {peopleStrings.folded}
      <Button
        variant="quiet"
        size="sm"
        className="-my-1 not-italic"
        tabIndex={tabIndex}
        onClick={() => setShown(true)}
      >
        {peopleStrings.unfold}
      </Button>
    </p>
  );
}
