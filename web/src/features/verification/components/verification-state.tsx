import { BadgeCheck, CircleX, Clock, IdCard } from "lucide-react";
import { classNames } from "@/ui/class-names.ts";
import { statusTexts, verificationStatusNames, verificationStrings } from "../strings.ts";
import type { Verification } from "../model/verification.ts";

const looks = {
  approved: { Icon: BadgeCheck, colour: "[--accent:var(--good)]" },
  rejected: { Icon: CircleX, colour: "[--accent:var(--danger)]" },
  pending: { Icon: Clock, colour: "[--accent:var(--warn)]" },
  none: { Icon: IdCard, colour: "[--accent:var(--info)]" },
} as const;

/** Where the verification stands, as icon, word and sentence; with the reason of a rejection. */
export function VerificationState({ verification }: { readonly verification: Verification }) {
  const { Icon, colour } = looks[verification.status];
  return (
    <div className="grid gap-4">
      <div
        role="status"
        data-status={verification.status}
        className={classNames("flex items-start gap-4", colour)}
      >
        <span className="wash grid size-12 shrink-0 place-items-center rounded-full">
          <Icon aria-hidden className="size-6 text-accent" />
        </span>
        <div>
          <p className="text-lg font-medium">{verificationStatusNames[verification.status]}</p>
          <p className="text-muted">{statusTexts[verification.status]}</p>
        </div>
      </div>
      {verification.status === "rejected" && verification.rejectedReason ? (
        <div className="rounded-control border-l-3 border-danger bg-sunken px-4 py-3">
          <p className="text-sm font-medium">{verificationStrings.rejectionReason}</p>
          <p className="break-words">{verification.rejectedReason}</p>
        </div>
      ) : null}
    </div>
  );
}
