import type { ReactNode } from "react";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { guarantee } from "../strings.ts";

export interface CallToActionProps {
  readonly children: ReactNode;
  /** Where it leads; to the choice of signing up or in unless told otherwise. */
  readonly to?: string;
  readonly hideGuarantee?: boolean;
  readonly variant?: "primary" | "secondary";
}

/** The one button that matters, with the guarantee beneath it. */
export function CallToAction({
  children,
  to = paths.auth,
  hideGuarantee = false,
  variant = "primary",
}: CallToActionProps) {
  return (
    <div className="grid justify-items-start gap-3">
      <Button asChild size="lg" variant={variant} className="min-h-13 px-8">
        <a href={to}>{children}</a>
      </Button>
      {hideGuarantee ? null : <p className="max-w-sm text-sm text-muted">{guarantee.line}</p>}
    </div>
  );
}
