import { UserX } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "@/ui/button.tsx";
import { toast } from "@/ui/toast.tsx";
import { useSetBlock } from "../mutations.ts";
import { explainPeopleError, peopleStrings } from "../strings.ts";

/** Stands where something of a blocked member would be, with the way to unblock them. */
export function BlockedNotice({
  profile: { id, name },
  children,
}: {
  readonly profile: { readonly id: string; readonly name: string };
  /** What the block does here. */
  readonly children: ReactNode;
}) {
  const setBlock = useSetBlock();
  const [busy, setBusy] = useState(false);

  async function unblock() {
    setBusy(true);
    try {
      await setBlock(id, false);
      toast.good(peopleStrings.unblockDone(name));
    } catch (error) {
      console.error("The block was not taken back", error);
      toast.danger(`${peopleStrings.unblockFailed(name)} ${explainPeopleError(error)}`);
    }
    setBusy(false);
  }

  return (
    <div className="grid max-w-notice justify-items-start gap-4">
      <UserX aria-hidden className="size-8 text-muted" />
      <h1 className="display text-2xl sm:text-3xl">{peopleStrings.blockedTitle(name)}</h1>
      <p className="text-muted">{children}</p>
      <Button className="mt-2" loading={busy} onClick={() => void unblock()}>
        {peopleStrings.unblockMember(name)}
      </Button>
    </div>
  );
}
