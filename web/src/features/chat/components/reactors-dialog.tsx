import { MemberName } from "@/features/people/index.ts";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { Dialog } from "@/ui/dialog.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { Reactor } from "../api/fetch-reactors.ts";
import type { ChatMessage } from "../model/message.ts";
import { useReactors } from "../queries.ts";
import { chatMessageStrings, chatStrings, reactionNames } from "../strings.ts";
import { ReactionIcon } from "./reaction-icon.tsx";

/** Everyone who liked a message or reacted to it. */
export function ReactorsDialog({
  message,
  onClose,
}: {
  /** Null while it is closed. */
  readonly message: ChatMessage | null;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      open={message !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={chatMessageStrings.reactors}
    >
      {message ? <ReactorList message={message} /> : null}
    </Dialog>
  );
}

function ReactorList({ message }: { readonly message: ChatMessage }) {
  const { data, isError, isFetching, refetch } = useReactors(message);
  if (isError) {
    return (
      <div role="alert" className="grid justify-items-start gap-3">
        <p>{chatMessageStrings.namesFailed}</p>
        <Button variant="secondary" size="sm" loading={isFetching} onClick={() => void refetch()}>
          {chatStrings.retry}
        </Button>
      </div>
    );
  }
  if (!data) {
    return (
      <Loading label={chatMessageStrings.loadingNames} className="grid gap-3">
        <Skeleton className="w-40" />
        <Skeleton className="w-32" />
      </Loading>
    );
  }
  if (data.length === 0) return <p className="text-muted">{chatMessageStrings.noReactors}</p>;
  return (
    <ul className="grid gap-2">
      {data.map((each) => (
        <li key={`${each.id} ${each.kind}`} className="flex items-center gap-3">
          <Face kind={each.kind} />
          <MemberName id={each.id} name={each.name} className="min-w-0 truncate" />
        </li>
      ))}
    </ul>
  );
}

function Face({ kind }: Pick<Reactor, "kind">) {
  return (
    <span className="flex w-28 shrink-0 items-center gap-2 text-sm text-muted">
      <ReactionIcon
        kind={kind}
        className={classNames("size-4", kind === "like" && "fill-current text-danger")}
      />
      {kind === "like" ? chatMessageStrings.like : reactionNames[kind]}
    </span>
  );
}
