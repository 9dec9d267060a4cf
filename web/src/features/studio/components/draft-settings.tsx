import { SlidersHorizontal } from "lucide-react";
import { Button } from "@/ui/button.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { useStudioSubcategories } from "../queries.ts";
import { draftFieldsStrings } from "../strings/draft.ts";
import type { DraftActs } from "../use-draft-actions.ts";
import { ActButtons } from "./draft-actions.tsx";
import { findDraftField } from "../find-draft-field.ts";
import { DraftFields, type DraftFieldsProps } from "./draft-fields.tsx";
import { PublishTimeField } from "./publish-time-field.tsx";

interface SettingsProps extends DraftFieldsProps {
  readonly draftActs: DraftActs;
}

/** Beside the text where there is room. */
export function SettingsPanel(props: SettingsProps) {
  return (
    <aside className="min-w-0 rounded-card border border-line bg-raised p-4 lg:col-start-2">
      <Settings {...props} />
    </aside>
  );
}

/** On a phone the settings come over the text, and go again. */
export function SettingsSheet({
  open,
  wanted,
  onOpenChange,
  ...props
}: SettingsProps & {
  readonly open: boolean;
  /** The field to begin with; the first when null. */
  readonly wanted: string | null;
  readonly onOpenChange: (open: boolean) => void;
}) {
  // Asked for before the window opens: a list that is still empty takes no focus.
  useStudioSubcategories();
  return (
    <>
      <Button
        variant="secondary"
        aria-haspopup="dialog"
        className="px-2.5"
        onClick={() => onOpenChange(true)}
      >
        <SlidersHorizontal aria-hidden className="size-4" />
        {draftFieldsStrings.open}
      </Button>
      <Sheet
        open={open}
        onOpenChange={onOpenChange}
        title={draftFieldsStrings.section}
        from="side"
        findFirst={() => (wanted === null ? null : findDraftField(wanted))}
      >
        <Settings {...props} onAct={() => onOpenChange(false)} />
      </Sheet>
    </>
  );
}

function Settings({
  draftActs,
  onAct,
  ...fields
}: SettingsProps & { readonly onAct?: (() => void) | undefined }) {
  const rareActs = draftActs.acts.filter((act) => act !== "submit");
  return (
    <div className="grid grid-cols-1 gap-4">
      <DraftFields {...fields} />
      <div className="grid grid-cols-1 justify-items-start gap-3 border-t border-line pt-4 empty:hidden">
        {draftActs.canSchedule ? <PublishTimeField {...draftActs.publishTime} /> : null}
        <ActButtons draftActs={draftActs} acts={rareActs} onPress={onAct} />
      </div>
    </div>
  );
}
