import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import type { BlockedMember } from "../api/blocks.ts";
import { useSetBlock } from "../mutations.ts";
import { useBlocks } from "../queries.ts";
import { explainPeopleError, peopleStrings } from "../strings.ts";

/** Whom one has blocked, each with the way back. */
export function BlockedList() {
  const { data, isError, error, isFetching, refetch } = useBlocks();
  if (data) {
    return data.length === 0 ? (
      <p className="text-muted">{peopleStrings.noBlocks}</p>
    ) : (
      <ul className="grid gap-3">
        {data.map((member) => (
          <BlockedLine key={member.id} member={member} />
        ))}
      </ul>
    );
  }
  if (isError) {
    return (
      <LoadFailed
        title="We couldn't load the list"
        busy={isFetching}
        advice={explainPeopleError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Loading label="Loading the members you've blocked">
      <Skeleton className="h-12" />
    </Loading>
  );
}

function BlockedLine({ member: { id, name, avatarUrl } }: { readonly member: BlockedMember }) {
  const { client } = useBackend();
  const setBlock = useSetBlock();
  const [busy, setBusy] = useState(false);

  async function unblock() {
    setBusy(true);
    try {
      await setBlock(id, false);
      toast.good(peopleStrings.unblockDone(name));
    } catch (error) {
      console.error("The block was not taken back", error);
      toast.danger(`We couldn't unblock ${name}. ${explainPeopleError(error)}`);
      setBusy(false);
    }
  }

  return (
    <li className="flex items-center gap-3">
      <Avatar id={id} name={name} picture={profilePictureUrl(client, avatarUrl)} size="sm" />
      <bdi className="min-w-0 grow break-words">{name}</bdi>
      <Button
        variant="secondary"
        size="sm"
        loading={busy}
        aria-label={`Unblock ${name}`}
        onClick={() => void unblock()}
      >
        Unblock
      </Button>
    </li>
  );
}
