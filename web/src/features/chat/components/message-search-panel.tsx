import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryLaterMessage } from "@/lib/errors.ts";
import { exactTime, shortTime } from "@/lib/format-time.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { useNow } from "@/lib/use-now.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextField } from "@/ui/text-field.tsx";
import type { FoundMessage } from "../api/search-messages.ts";
import { useMessageSearch } from "../queries.ts";
import { messageSearchStrings } from "../strings.ts";

/** The room a search begins in. */
export interface SearchedRoom {
  readonly id: string;
  readonly name: string;
}

/** Searches messages by their words. Each result leads to the message in its room. */
export function MessageSearchPanel({
  room,
  onOpened,
}: {
  readonly room: SearchedRoom | null;
  /** A result was followed. */
  readonly onOpened: () => void;
}) {
  const [typed, setTyped] = useState("");
  const [everywhere, setEverywhere] = useState(room === null);
  const search = useMessageSearch(typed, everywhere ? null : (room?.id ?? null));
  const { data } = search;
  const found = data?.pages.flat() ?? [];
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextField
        type="search"
        label={messageSearchStrings.label}
        value={typed}
        maxLength={100}
        autoComplete="off"
        enterKeyHint="search"
        onChange={(event) => setTyped(event.target.value)}
      />
      {room ? (
        <fieldset className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          <legend className="sr-only">{messageSearchStrings.scope}</legend>
          <Scope checked={!everywhere} onChange={() => setEverywhere(false)}>
            {messageSearchStrings.inRoom}
            <bdi>{room.name}</bdi>
          </Scope>
          <Scope checked={everywhere} onChange={() => setEverywhere(true)}>
            {messageSearchStrings.everywhere}
          </Scope>
        </fieldset>
      ) : null}
      <p role="status" className="sr-only">
        {search.idle || !data ? "" : messageSearchStrings.found(found.length, search.hasNextPage)}
      </p>
      {search.idle ? <p className="text-sm text-muted">{messageSearchStrings.hint}</p> : null}
      {search.failed ? (
        <LoadFailed
          title={messageSearchStrings.failed}
          busy={search.isFetching}
          advice={retryLaterMessage(search.error)}
          onRetry={() => void search.refetch()}
        />
      ) : null}
      {!search.idle && !data && !search.failed ? <ResultsSkeleton /> : null}
      {!search.idle && data && found.length === 0 ? (
        <p className="text-sm text-muted">{messageSearchStrings.nothingFound}</p>
      ) : null}
      {search.idle || found.length === 0 ? null : (
        <ul aria-label={messageSearchStrings.results} className="-mx-2 grid grid-cols-1">
          {found.map((message) => (
            <li key={message.id} className="border-t border-line first:border-0">
              <Result message={message} showsRoom={everywhere} onOpened={onOpened} />
            </li>
          ))}
        </ul>
      )}
      {!search.idle && search.hasNextPage ? (
        <Button
          variant="secondary"
          className="justify-self-start"
          loading={search.isFetchingNextPage}
          onClick={() => void search.fetchNextPage()}
        >
          {messageSearchStrings.earlier}
        </Button>
      ) : null}
    </div>
  );
}

function Scope({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: () => void;
  readonly children: ReactNode;
}) {
  return (
    <label className="flex min-h-11 items-center gap-2 sm:min-h-9">
      <input
        type="radio"
        name="message-search-scope"
        className="size-4 accent-[var(--accent)]"
        checked={checked}
        onChange={onChange}
      />
      <span>{children}</span>
    </label>
  );
}

function Result({
  message,
  showsRoom,
  onOpened,
}: {
  readonly message: FoundMessage;
  readonly showsRoom: boolean;
  readonly onOpened: () => void;
}) {
  const { client } = useBackend();
  const now = useNow();
  const { author } = message;
  const at = Date.parse(message.createdAtRaw);
  return (
    <Link
      to={`${paths.chats}/${message.roomId}#${message.id}`}
      onClick={onOpened}
      className="grid grid-cols-[2rem_minmax(0,1fr)] gap-3 rounded-control px-2 py-3 hover:bg-hover"
    >
      <Avatar
        id={author.id}
        name={author.name}
        picture={profilePictureUrl(client, author.avatarUrl)}
        size="sm"
      />
      <span className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <bdi className="font-medium">{author.name}</bdi>
          {showsRoom ? <span className="text-muted">{message.roomName}</span> : null}
          <time
            dateTime={new Date(at).toISOString()}
            title={exactTime(at)}
            className="tabular text-xs text-muted"
          >
            {shortTime(at, now)}
          </time>
        </span>
        <span dir="auto" className="line-clamp-3 text-sm break-words text-muted">
          {message.excerpt.map(({ text, marked }, index) =>
            marked ? (
              // oxlint-disable-next-line react/no-array-index-key -- The parts of an excerpt never change places.
              <mark key={index} className="wash rounded-sm px-0.5 font-medium text-ink">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </span>
      </span>
    </Link>
  );
}

function ResultsSkeleton() {
  return (
    <Loading label={messageSearchStrings.searching} className="grid gap-5">
      {["w-2/3", "w-3/4", "w-1/2"].map((width) => (
        <div key={width} className="flex gap-3">
          <Skeleton className="size-8 rounded-full" />
          <div className="grid grow content-start gap-2">
            <Skeleton className="w-32" />
            <Skeleton className={width} />
          </div>
        </div>
      ))}
    </Loading>
  );
}
