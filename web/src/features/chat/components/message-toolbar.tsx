import {
  Ellipsis,
  Flag,
  Heart,
  Link2,
  Pencil,
  Pin,
  PinOff,
  Reply,
  SmilePlus,
  Trash2,
  Users,
} from "lucide-react";
import { useState, type ComponentProps } from "react";
import { classNames } from "@/ui/class-names.ts";
import { Menu, MenuCheckItem, MenuItem, MenuSeparator } from "@/ui/menu.tsx";
import type { ChatMessage } from "../model/message.ts";
import { reactions } from "../model/reactions.ts";
import { chatMessageStrings, reactionNames } from "../strings.ts";
import type { MessageActions } from "../use-message-actions.tsx";
import { ReactionIcon } from "./reaction-icon.tsx";

export interface MessageToolbarProps {
  readonly message: ChatMessage;
  readonly own: boolean;
  readonly active: boolean;
  readonly name: string;
  readonly pinned: boolean;
  /** The author stands above the message. */
  readonly head: boolean;
  readonly actions: MessageActions;
}

/** The actions on a message. Hidden until the row is hovered, pressed or focused; of two rows, that of the last input shows them, and one whose focus is seen. */
export function MessageToolbar(props: MessageToolbarProps) {
  const { message, own, active, name, pinned, head, actions } = props;
  const { pin, showReactors } = actions;
  // The menu is mounted on first use, because a room has many rows.
  const [menu, setMenu] = useState(false);
  const tabIndex = active ? 0 : -1;
  const { like, copyLink } = actions;
  const more = (
    <ActionButton
      tabIndex={tabIndex}
      aria-label={chatMessageStrings.more}
      aria-haspopup="menu"
      {...(menu ? {} : { onClick: () => setMenu(true) })}
    >
      <Ellipsis aria-hidden className="size-4" />
    </ActionButton>
  );
  return (
    <div
      role="group"
      aria-label={chatMessageStrings.actions(name)}
      // Begins where the message ends; the four buttons stay inside the row of a long one. On a phone that is above its author's badge.
      className={classNames(
        "absolute -top-3 left-[min(0.5rem,calc(100%-9.5rem))] flex rounded-control border border-line bg-raised opacity-0 shadow-float group-focus-within:opacity-100 group-hover:opacity-100 has-data-[state=open]:opacity-100 group-data-[input=keys]/list:group-has-[article:focus-within]/list:group-[:not(:focus-within)]:opacity-0 group-data-[input=pointer]/list:group-has-[article:hover]/list:group-[:not(:hover):not(:has(:focus-visible))]:opacity-0 [@media(hover:none)]:pointer-events-none [@media(hover:none)]:group-focus-within:pointer-events-auto",
        head && "max-sm:-top-9.5",
      )}
    >
      {like === null ? null : (
        <ActionButton
          tabIndex={tabIndex}
          aria-label={message.liked ? chatMessageStrings.unlike : chatMessageStrings.like}
          onClick={() => like(message.id)}
        >
          <Heart
            aria-hidden
            className={classNames("size-4", message.liked && "fill-current text-danger")}
          />
        </ActionButton>
      )}
      <ReactButton {...props} />
      <ActionButton
        tabIndex={tabIndex}
        aria-label={chatMessageStrings.reply}
        onClick={() => actions.reply(message)}
      >
        <Reply aria-hidden className="size-4" />
      </ActionButton>
      {menu ? (
        <Menu trigger={more} defaultOpen>
          {copyLink === null ? null : (
            <MenuItem onSelect={() => copyLink(message.id)}>
              <Link2 aria-hidden /> {chatMessageStrings.copyLink}
            </MenuItem>
          )}
          {showReactors ? (
            <MenuItem onSelect={() => showReactors(message)}>
              <Users aria-hidden /> {chatMessageStrings.reactors}
            </MenuItem>
          ) : null}
          {pin ? (
            <MenuItem onSelect={() => pin(message, !pinned)}>
              {pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
              {pinned ? chatMessageStrings.unpin : chatMessageStrings.pin}
            </MenuItem>
          ) : null}
          {own ? (
            <MenuItem onSelect={() => actions.edit(message.id)}>
              <Pencil aria-hidden /> {chatMessageStrings.edit}
            </MenuItem>
          ) : (
            <MenuItem onSelect={() => actions.report(message)}>
              <Flag aria-hidden /> {chatMessageStrings.report}
            </MenuItem>
          )}
          {own || actions.canDeleteAny ? (
            <>
              <MenuSeparator />
              <MenuItem onSelect={() => actions.remove(message)}>
                <Trash2 aria-hidden /> {chatMessageStrings.remove}
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

/** Opens the list of reactions, which is mounted on first use. */
function ReactButton({ message, active, actions }: MessageToolbarProps) {
  const [menu, setMenu] = useState(false);
  const { react } = actions;
  if (!react) return null;
  const button = (
    <ActionButton
      tabIndex={active ? 0 : -1}
      aria-label={chatMessageStrings.react}
      aria-haspopup="menu"
      {...(menu ? {} : { onClick: () => setMenu(true) })}
    >
      <SmilePlus aria-hidden className="size-4" />
    </ActionButton>
  );
  if (!menu) return button;
  return (
    <Menu trigger={button} defaultOpen>
      {reactions.map((each) => (
        <MenuCheckItem
          key={each}
          checked={message.myReactions.includes(each)}
          onSelect={() => react(message.id, each)}
        >
          <ReactionIcon kind={each} /> {reactionNames[each]}
        </MenuCheckItem>
      ))}
    </Menu>
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
