import { Copy, Download, Printer } from "lucide-react";
import { useState } from "react";
import { brand } from "@/domain/brand.ts";
import { Button } from "@/ui/button.tsx";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { copyText } from "@/ui/copy-text.ts";
import { toast } from "@/ui/toast.tsx";
import { saveFile } from "@/lib/save-file.ts";

/** Shows ten codes once; they close when their owner says that they are saved. */
export function RecoveryCodes({
  codes,
  onSaved,
}: {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}) {
  const [saved, setSaved] = useState(false);
  const text = `${brand.name} recovery codes. Each works once.\n\n${codes.join("\n")}\n`;

  async function copy() {
    try {
      await copyText(codes.join("\n"));
      toast.good("The codes were copied.");
    } catch {
      toast.danger("The codes couldn't be copied. Download them instead.");
    }
  }

  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        If you lose your device, one of these codes lets you in. Each works once. We can't show them
        again, so save them somewhere safe now.
      </p>
      <ul
        aria-label="Recovery codes"
        className="tabular grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-control border border-line bg-sunken p-4 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button variant="secondary" size="sm" onClick={() => void copy()}>
          <Copy aria-hidden className="size-4" />
          Copy
        </Button>
        <Button
          variant="secondary"
          size="sm"
          onClick={() =>
            saveFile(
              `${brand.name.toLowerCase()}-recovery-codes.txt`,
              new Blob([text], { type: "text/plain" }),
            )
          }
        >
          <Download aria-hidden className="size-4" />
          Download
        </Button>
        <Button variant="secondary" size="sm" onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          Print
        </Button>
      </div>
      <CheckboxField
        label="I have saved them"
        checked={saved}
        onChange={(event) => setSaved(event.target.checked)}
      />
      <div>
        <Button disabled={!saved} onClick={onSaved}>
          Done
        </Button>
      </div>
    </div>
  );
}
