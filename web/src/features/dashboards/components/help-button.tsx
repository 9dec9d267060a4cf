import { CircleHelp } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";

/** Where to turn when stuck. */
export function HelpButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <CircleHelp aria-hidden className="size-4" />
        Help
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Help"
        description="Most questions are answered within one working day."
      >
        <div className="grid gap-4">
          <p>
            Write to{" "}
            <a
              className="font-medium underline underline-offset-4"
              href={`mailto:${brand.supportEmail}`}
            >
              {brand.supportEmail}
            </a>{" "}
            and tell us what you were trying to do. A screenshot helps.
          </p>
          <ul className="grid gap-2 border-t border-line pt-4">
            <li>
              <HelpLink to={paths.subscriptions}>Membership and payments</HelpLink>
            </li>
            <li>
              <HelpLink to={paths.verification}>Identity verification</HelpLink>
            </li>
            <li>
              <HelpLink to={paths.account}>Email, password and your data</HelpLink>
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
