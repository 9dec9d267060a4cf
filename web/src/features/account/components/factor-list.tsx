import { KeySquare, ShieldCheck } from "lucide-react";
import type { VerifiedFactor } from "@/features/session/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { secondFactorStrings } from "../strings.ts";
import { keyFactorStrings } from "../strings/security-keys.ts";

/** The second factors of an account, each with the button that removes it. */
export function FactorList({
  factors,
  withKeys,
  onRemove,
}: {
  readonly factors: readonly VerifiedFactor[];
  /** True where there may be security keys among them. */
  readonly withKeys: boolean;
  readonly onRemove: (factor: VerifiedFactor) => void;
}) {
  return (
    <ul
      aria-label={withKeys ? keyFactorStrings.listLabel : secondFactorStrings.listLabel}
      className="grid gap-2"
    >
      {factors.map((factor) => {
        const isKey = factor.kind === "key";
        const Mark = isKey ? KeySquare : ShieldCheck;
        const name =
          factor.name || (isKey ? keyFactorStrings.unnamed : secondFactorStrings.unnamed);
        return (
          <li key={factor.id} className="flex items-center gap-3">
            <Mark aria-hidden className="size-5 shrink-0 text-good" />
            <span className="min-w-0 grow wrap-anywhere">
              {name}
              {withKeys ? (
                <span className="block text-sm text-muted">
                  {keyFactorStrings.addedOn(longDate(factor.addedAt))}
                </span>
              ) : null}
            </span>
            <Button
              variant="quiet"
              size="sm"
              aria-label={secondFactorStrings.removeNamed(isKey ? name : factor.name)}
              onClick={() => onRemove(factor)}
            >
              {secondFactorStrings.remove}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
