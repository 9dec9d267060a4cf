import { Copy, Download, Printer } from "lucide-react";
import { useState } from "react";
import { brand } from "@/domain/brand.ts";
import { Button } from "@/ui/button.tsx";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { copyText } from "@/ui/copy-text.ts";
import { toast } from "@/ui/toast.tsx";
import { saveFile } from "@/lib/save-file.ts";
import { recoveryCodeStrings } from "../strings.ts";

/** Shows ten codes once; they close when their owner says that they are saved. */
export function RecoveryCodes({
  codes,
  onSaved,
}: {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}) {
  const [saved, setSaved] = useState(false);

  async function copy() {
    try {
      await copyText(codes.join("\n"));
      toast.good(recoveryCodeStrings.copied);
    } catch {
      toast.danger(recoveryCodeStrings.copyFailed);
    }
  }

  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">{recoveryCodeStrings.intro}</p>
      <ul
        aria-label={recoveryCodeStrings.listLabel}
        className="tabular grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-control border border-line bg-sunken p-4 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button variant="secondary" size="sm" onClick={() => void copy()}>
          <Copy aria-hidden className="size-4" />
          {recoveryCodeStrings.copy}
        </Button>
        <Button
          variant="secondary"
          size="sm"
          onClick={() =>
            saveFile(
              `${brand.name.toLowerCase()}-recovery-codes.txt`,
              new Blob([recoveryCodeStrings.file(codes)], { type: "text/plain" }),
            )
          }
        >
          <Download aria-hidden className="size-4" />
          {recoveryCodeStrings.download}
        </Button>
        <Button variant="secondary" size="sm" onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          {recoveryCodeStrings.print}
        </Button>
      </div>
      <CheckboxField
        label={recoveryCodeStrings.haveSaved}
        checked={saved}
        onChange={(event) => setSaved(event.target.checked)}
      />
      <div>
        <Button disabled={!saved} onClick={onSaved}>
          {recoveryCodeStrings.done}
        </Button>
      </div>
    </div>
  );
}
