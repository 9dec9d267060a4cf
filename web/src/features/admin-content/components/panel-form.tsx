import type { ReactNode } from "react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";

/** The fields of one thing in its panel, with the button that saves them and what stands beside it. */
export function PanelForm({
  saveLabel,
  busy,
  issue,
  onSave,
  actions,
  children,
}: {
  readonly saveLabel: string;
  readonly busy: boolean;
  readonly issue: string | null;
  readonly onSave: (fields: FormData) => void;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(new FormData(event.currentTarget));
      }}
    >
      {children}
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <div className="flex flex-wrap gap-3 pt-2">
        <Button type="submit" loading={busy}>
          {saveLabel}
        </Button>
        {actions}
      </div>
    </form>
  );
}

/** The trimmed text of a field. */
export function fieldText(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : "";
}
