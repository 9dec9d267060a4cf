import { useEffect, useId, useRef, useState } from "react";
import { Link } from "react-router";
import { memberPath } from "@/domain/paths.ts";
import { systemClock } from "@/lib/clock.ts";
import { classNames } from "@/ui/class-names.ts";
import { HoverCard } from "@/ui/hover-card.tsx";
import { MemberCard } from "./member-card.tsx";

const openAfterMs = 350;
const closeAfterMs = 150;

export interface MemberNameProps {
  readonly id: string;
  readonly name: string;
  readonly className?: string | undefined;
  readonly tabIndex?: number | undefined;
}

/**
 * The name of a member: a link to the profile, with a card about them while the pointer or the focus is on it. Nothing is
 * requested before the card opens.
 */
export function MemberName({ id, name, className, tabIndex }: MemberNameProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const cardId = useId();
  const [open, setOpen] = useState(false);
  const cancel = useRef<(() => void) | null>(null);
  const isPointed = useRef(false);
  useEffect(() => () => cancel.current?.(), []);

  function turn(next: boolean) {
    cancel.current?.();
    cancel.current = systemClock.after(next ? openAfterMs : closeAfterMs, () => setOpen(next));
  }
  function close() {
    cancel.current?.();
    setOpen(false);
  }

  return (
    <>
      <Link
        ref={link}
        to={memberPath(id)}
        aria-describedby={open ? cardId : undefined}
        className={classNames("rounded-sm underline-offset-4 hover:underline", className)}
        {...(tabIndex === undefined ? {} : { tabIndex })}
        // Not on entering: a pointer that rests while a room scrolls under it points at nobody. A finger has no hover: it
        // follows the link.
        onPointerMove={(event) => {
          if (event.pointerType !== "mouse" || isPointed.current) return;
          isPointed.current = true;
          turn(true);
        }}
        onPointerLeave={() => {
          isPointed.current = false;
          turn(false);
        }}
        onFocus={(event) => (event.target.matches(":focus-visible") ? turn(true) : undefined)}
        onBlur={close}
        onClick={close}
      >
        <bdi>{name}</bdi>
      </Link>
      {open ? (
        <HoverCard
          id={cardId}
          anchor={link}
          onClose={close}
          onPointerEnter={() => turn(true)}
          onPointerLeave={() => turn(false)}
        >
          <MemberCard id={id} name={name} />
        </HoverCard>
      ) : null}
    </>
  );
}
