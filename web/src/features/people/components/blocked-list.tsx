import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { useFocusAfter } from "@/ui/use-focus-after.ts";
import type { BlockedMember } from "../api/blocks.ts";
import { useSetBlock } from "../mutations.ts";
import { useBlocks } from "../queries.ts";
import { explainPeopleError, peopleStrings } from "../strings.ts";

const listId = "blocked-members";

/** Whom one has blocked, each with the way back. */
export function BlockedList() {
  const { data, isError, error, isFetching, refetch } = useBlocks();
  if (data) {
    return data.length === 0 ? (
      <p id={listId} tabIndex={-1} className="text-muted focus:outline-none">
        {peopleStrings.noBlocks}
      </p>
    ) : (
      <ul id={listId} className="grid gap-3">
        {data.map((member, place) => (
          <BlockedLine key={member.id} member={member} place={place} />
        ))}
      </ul>
    );
  }
  if (isError) {
    return (
      <LoadFailed
        title={peopleStrings.blocksFailed}
        busy={isFetching}
        advice={explainPeopleError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Loading label={peopleStrings.blocksLoading}>
      <Skeleton className="h-12" />
    </Loading>
  );
}

function BlockedLine({
  member: { id, name, avatarUrl },
  place,
}: {
  readonly member: BlockedMember;
  readonly place: number;
}) {
  const { client } = useBackend();
  const setBlock = useSetBlock();
  const [busy, setBusy] = useState(false);
  const line = useFocusAfter<HTMLLIElement>(() => {
    const list = document.getElementById(listId);
    const left = list?.querySelectorAll("button") ?? [];
    return left[Math.min(place, left.length - 1)] ?? list;
  });

  async function unblock() {
    setBusy(true);
    try {
      await setBlock(id, false);
      toast.good(peopleStrings.unblockDone(name));
    } catch (error) {
      console.error("The block was not taken back", error);
      toast.danger(`${peopleStrings.unblockFailed(name)} ${explainPeopleError(error)}`);
      setBusy(false);
    }
  }

  return (
    <li ref={line} className="flex items-center gap-3">
      <Avatar id={id} name={name} picture={profilePictureUrl(client, avatarUrl)} size="sm" />
      <bdi className="min-w-0 grow break-words">{name}</bdi>
      <Button
        variant="secondary"
        size="sm"
        loading={busy}
        aria-label={peopleStrings.unblockMember(name)}
        onClick={() => void unblock()}
      >
        {peopleStrings.unblock}
      </Button>
    </li>
  );
}
