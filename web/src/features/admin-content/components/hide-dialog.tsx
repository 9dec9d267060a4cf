import { shortfallsAfter, type Removal } from "@/domain/requirement-supply.ts";
import { Alert } from "@/ui/alert.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { useContentSupply } from "../queries.ts";
import { contentStrings } from "../strings.ts";

interface HideDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description: string;
  readonly confirmLabel: string;
  readonly removals: readonly Removal[];
  readonly busy: boolean;
  readonly onConfirm: () => void;
}

/** Asks before something vanishes for members, and warns when a level then asks for more than there is. */
export function HideDialog({ description, removals, ...dialog }: HideDialogProps) {
  const supply = useContentSupply();
  const warnings = shortfallsAfter(supply.data ?? [], removals);
  return (
    <ConfirmDialog
      {...dialog}
      danger
      description={`${description} ${contentStrings.nothingIsTakenAway}`}
    >
      {warnings.length === 0 ? null : (
        <Alert tone="warn" title={contentStrings.impossibleTitle} className="mt-4">
          <ul className="grid gap-1">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Alert>
      )}
    </ConfirmDialog>
  );
}
