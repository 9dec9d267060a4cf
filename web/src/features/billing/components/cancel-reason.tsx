import { SelectField } from "@/ui/select-field.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import type { CancellationReason } from "../model/cancellation-reason.ts";
import { cancellationReasons, renewalStrings } from "../strings/membership.ts";

/** Longest comment the server keeps, in characters. */
const maxCommentLength = 500;

/** Asks why, without insisting. */
export function CancelReason({
  reason,
  onChange,
}: {
  readonly reason: CancellationReason;
  readonly onChange: (reason: CancellationReason) => void;
}) {
  return (
    <div className="mt-5 grid gap-4">
      <SelectField
        label={renewalStrings.reason}
        placeholder={renewalStrings.noReason}
        options={cancellationReasons}
        value={reason.reason}
        onChange={(event) => onChange({ ...reason, reason: event.target.value })}
      />
      <TextArea
        label={renewalStrings.comment}
        rows={3}
        maxLength={maxCommentLength}
        value={reason.comment}
        onChange={(event) => onChange({ ...reason, comment: event.target.value })}
      />
    </div>
  );
}
