import { CircleHelp } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { helpStrings } from "../strings.ts";

/** Where to turn when stuck. */
export function HelpButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <CircleHelp aria-hidden className="size-4" />
        {helpStrings.title}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={helpStrings.title}
        description={helpStrings.intro}
      >
        <div className="grid gap-4">
          <p>
            {helpStrings.writeBefore}
            <a
              className="font-medium underline underline-offset-4"
              href={`mailto:${brand.supportEmail}`}
            >
              {brand.supportEmail}
            </a>
            {helpStrings.writeAfter}
          </p>
          <p className="text-sm text-muted [@media(hover:none)]:hidden">
            {helpStrings.keysBefore}
            <kbd className="rounded-control border border-line bg-sunken px-1.5 py-0.5 font-sans text-ink">
              {helpStrings.keys}
            </kbd>
            {helpStrings.keysAfter}
          </p>
          <ul className="grid gap-2 border-t border-line pt-4">
            <li>
              <HelpLink to={paths.subscriptions}>{helpStrings.membership}</HelpLink>
            </li>
            <li>
              <HelpLink to={paths.verification}>{helpStrings.identity}</HelpLink>
            </li>
            <li>
              <HelpLink to={`${paths.account}#sign-in`}>{helpStrings.account}</HelpLink>
            </li>
          </ul>
        </div>
      </Dialog>
    </>
  );
}

function HelpLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <Link className="inline-flex min-h-11 items-center underline underline-offset-4" to={to}>
      {children}
    </Link>
  );
}
