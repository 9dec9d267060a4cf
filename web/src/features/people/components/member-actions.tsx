import { Ban, Ellipsis, Flag } from "lucide-react";
import { useState } from "react";
import { ReportDialog } from "@/features/moderation/index.ts";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { Menu, MenuItem } from "@/ui/menu.tsx";
import { toast } from "@/ui/toast.tsx";
import { useSetBlock } from "../mutations.ts";
import type { MemberProfile } from "../model/member.ts";
import { explainPeopleError, peopleStrings } from "../strings.ts";

/** Blocks or reports a member. */
export function MemberActions({
  profile,
}: {
  readonly profile: Pick<MemberProfile, "id" | "name" | "role">;
}) {
  const { id, name, role } = profile;
  const setBlock = useSetBlock();
  const [asking, setAsking] = useState<"block" | "report" | null>(null);
  const [busy, setBusy] = useState(false);

  async function block() {
    setBusy(true);
    try {
      await setBlock(id, true);
      toast.good(peopleStrings.blockDone(name));
    } catch (error) {
      console.error("The member was not blocked", error);
      toast.danger(`${peopleStrings.blockFailed(name)} ${explainPeopleError(error)}`);
    }
    setBusy(false);
    setAsking(null);
  }

  return (
    <>
      <Menu
        trigger={
          <Button variant="secondary" className="px-3" aria-label={peopleStrings.more(name)}>
            <Ellipsis aria-hidden className="size-5" />
          </Button>
        }
      >
        <MenuItem onSelect={() => setAsking("report")}>
          <Flag aria-hidden /> {peopleStrings.report}
        </MenuItem>
        {role === "admin" ? null : (
          <MenuItem onSelect={() => setAsking("block")}>
            <Ban aria-hidden /> {peopleStrings.block}
          </MenuItem>
        )}
      </Menu>
      <ReportDialog
        subject={asking === "report" ? { kind: "profile", id, name } : null}
        onClose={() => setAsking(null)}
      />
      <ConfirmDialog
        open={asking === "block"}
        onOpenChange={(open) => setAsking(open ? "block" : null)}
        title={peopleStrings.blockQuestion(name)}
        description={peopleStrings.blockText}
        confirmLabel={peopleStrings.blockConfirm(name)}
        cancelLabel={peopleStrings.blockCancel}
        danger
        busy={busy}
        onConfirm={() => void block()}
      />
    </>
  );
}
