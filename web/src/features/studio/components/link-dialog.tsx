import { useState } from "react";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { linkAddress } from "../model/link-address.ts";
import { linkTexts } from "../strings/text-editor.ts";

export interface LinkDialogProps {
  /** The words that will lead there; without any, the address stands for itself. */
  readonly words: string;
  /** Where the words lead now; empty without a link. */
  readonly address: string;
  readonly onLink: (address: string) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** Asks where the selected words lead. */
export function LinkDialog({ words, address, onLink, onRemove, onClose }: LinkDialogProps) {
  const [typed, setTyped] = useState(address);
  const [issue, setIssue] = useState<string>();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={linkTexts.title}
      description={
        <span className="line-clamp-3 wrap-anywhere">
          {words === "" ? linkTexts.noWords : linkTexts.words(words)}
        </span>
      }
    >
      <form
        className="grid grid-cols-1 gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // The dialog stands inside the page of the draft, whose forms are not meant.
          event.stopPropagation();
          const link = linkAddress(typed);
          if (link === null) setIssue(linkTexts.wrong);
          else onLink(link);
        }}
      >
        <TextField
          label={linkTexts.address}
          hint={linkTexts.hint}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={issue}
          onChange={(event) => {
            setTyped(event.target.value);
            setIssue(undefined);
          }}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit">{linkTexts.save}</Button>
          {address === "" ? null : (
            <Button variant="secondary" onClick={onRemove}>
              {linkTexts.remove}
            </Button>
          )}
          <Button variant="quiet" onClick={onClose}>
            {linkTexts.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
