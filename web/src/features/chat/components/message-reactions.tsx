import type { ReactNode } from "react";
import { classNames } from "@/ui/class-names.ts";
import { Skeleton } from "@/ui/skeleton.tsx";
import { Tooltip } from "@/ui/tooltip.tsx";
import type { ChatMessage } from "../model/message.ts";
import { reactions, type Reaction } from "../model/reactions.ts";
import { useReactors } from "../queries.ts";
import { chatMessageStrings, formatNames, reactionNames } from "../strings.ts";
import type { MessageActions } from "../use-message-actions.tsx";
import { ReactionIcon } from "./reaction-icon.tsx";

/** Names in a tooltip; the window lists them all. */
const namesInTooltip = 6;

/** The numbers of likes and reactions below a message. Each is a button that gives or takes back one's own. */
export function MessageReactions({
  message,
  active,
  actions,
}: {
  readonly message: ChatMessage;
  readonly active: boolean;
  readonly actions: MessageActions;
}): ReactNode {
  const { likeCount, reactionCounts, liked, myReactions } = message;
  const { react } = actions;
  const chip = { message, active, actions };
  return (
    <>
      {likeCount > 0 ? (
        <Chip
          {...chip}
          kind="like"
          label={chatMessageStrings.likes(likeCount)}
          given={liked}
          onClick={() => actions.like?.(message.id)}
        >
          <ReactionIcon
            kind="like"
            className={classNames("size-3", liked && "fill-current text-danger")}
          />
          {likeCount}
        </Chip>
      ) : null}
      {react
        ? reactions.map((each) => {
            const count = reactionCounts[each] ?? 0;
            return count > 0 ? (
              <Chip
                key={each}
                {...chip}
                kind={each}
                label={`${reactionNames[each]}: ${count}`}
                given={myReactions.includes(each)}
                onClick={() => react(message.id, each)}
              >
                <ReactionIcon kind={each} className="size-3.5" />
                {count}
              </Chip>
            ) : null;
          })
        : null}
    </>
  );
}

function Chip({
  message,
  active,
  actions,
  kind,
  label,
  given,
  onClick,
  children,
}: {
  readonly message: ChatMessage;
  readonly active: boolean;
  readonly actions: MessageActions;
  readonly kind: Reaction | "like";
  readonly label: string;
  readonly given: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  const { showReactors } = actions;
  const button = (
    <button
      type="button"
      tabIndex={active ? 0 : -1}
      aria-pressed={given}
      aria-label={label}
      onClick={onClick}
      // A long press on a phone, a right click elsewhere.
      onContextMenu={(event) => {
        if (!showReactors) return;
        event.preventDefault();
        showReactors(message);
      }}
      className={classNames(
        "tabular my-0.5 inline-flex min-h-6 items-center gap-1 rounded-full border px-2 select-none [-webkit-touch-callout:none]",
        given
          ? "wash border-[color-mix(in_oklab,var(--accent)_55%,var(--line))] text-ink"
          : "border-line hover:border-control-line hover:text-ink",
      )}
    >
      {children}
    </button>
  );
  return showReactors ? (
    <Tooltip text={<ReactorNames message={message} kind={kind} />}>{button}</Tooltip>
  ) : (
    button
  );
}

/** Who gave one reaction, read when it is asked for. */
function ReactorNames({
  message,
  kind,
}: {
  readonly message: ChatMessage;
  readonly kind: Reaction | "like";
}) {
  const { data, isError } = useReactors(message);
  if (isError) return chatMessageStrings.namesFailed;
  if (!data) return <Skeleton className="w-24" />;
  const names = data.filter((each) => each.kind === kind).map(({ name }) => name);
  return <bdi>{formatNames(names, namesInTooltip)}</bdi>;
}
