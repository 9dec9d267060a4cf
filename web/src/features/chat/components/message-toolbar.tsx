import { Ellipsis, Flag, Heart, Link2, Pencil, Reply, Trash2 } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { classNames } from "@/ui/class-names.ts";
import { Menu, MenuItem, MenuSeparator } from "@/ui/menu.tsx";
import type { ChatMessage } from "../model/message.ts";
import type { MessageActions } from "../use-message-actions.tsx";

export interface MessageToolbarProps {
  readonly message: ChatMessage;
  readonly own: boolean;
  readonly active: boolean;
  readonly name: string;
  readonly actions: MessageActions;
}

/** The actions on a message. Hidden until the row is hovered, pressed or focused. */
export function MessageToolbar({ message, own, active, name, actions }: MessageToolbarProps) {
  /* The menu is mounted on first use, because a room has many rows. */
  const [menu, setMenu] = useState(false);
  const tabIndex = active ? 0 : -1;
  const more = (
    <ActionButton
      tabIndex={tabIndex}
      aria-label="More"
      aria-haspopup="menu"
      {...(menu ? {} : { onClick: () => setMenu(true) })}
    >
      <Ellipsis aria-hidden className="size-4" />
    </ActionButton>
  );
  return (
    <div
      role="group"
      aria-label={`Actions for the message of ${name}`}
      className="absolute -top-3 right-2 flex rounded-control border border-line bg-raised opacity-0 shadow-float group-focus-within:opacity-100 group-hover:opacity-100 has-data-[state=open]:opacity-100 [@media(hover:none)]:pointer-events-none [@media(hover:none)]:group-focus-within:pointer-events-auto"
    >
      <ActionButton
        tabIndex={tabIndex}
        aria-label={message.liked ? "Unlike" : "Like"}
        onClick={() => actions.like(message.id)}
      >
        <Heart
          aria-hidden
          className={classNames("size-4", message.liked && "fill-current text-danger")}
        />
      </ActionButton>
      <ActionButton tabIndex={tabIndex} aria-label="Reply" onClick={() => actions.reply(message)}>
        <Reply aria-hidden className="size-4" />
      </ActionButton>
      {menu ? (
        <Menu trigger={more} defaultOpen>
          <MenuItem onSelect={() => actions.copyLink(message.id)}>
            <Link2 aria-hidden /> Copy link
          </MenuItem>
          {own ? (
            <MenuItem onSelect={() => actions.edit(message.id)}>
              <Pencil aria-hidden /> Edit
            </MenuItem>
          ) : (
            <MenuItem onSelect={() => actions.report(message)}>
              <Flag aria-hidden /> Report to a moderator
            </MenuItem>
          )}
          {own || actions.canDeleteAny ? (
            <>
              <MenuSeparator />
              <MenuItem onSelect={() => actions.remove(message)}>
                <Trash2 aria-hidden /> Delete
              </MenuItem>
            </>
          ) : null}
        </Menu>
      ) : (
        more
      )}
    </div>
  );
}

function ActionButton({ className, ...rest }: ComponentProps<"button">) {
  return (
    <button
      type="button"
      className={classNames(
        "grid size-9 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink focus-visible:-outline-offset-2",
        className,
      )}
      {...rest}
    />
  );
}
