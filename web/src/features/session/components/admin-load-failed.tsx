import { isSecondFactorDue } from "@/lib/second-factor-due.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SecondFactorNeeded } from "./second-factor-needed.tsx";

/** Said where a part of the console could not be read: what failed, or that it needs a second factor. */
export function AdminLoadFailed({
  title,
  error,
  busy,
  onRetry,
}: {
  /** Such as `We couldn't load the members`. */
  readonly title: string;
  readonly error: unknown;
  readonly busy: boolean;
  readonly onRetry: () => void;
}) {
  if (isSecondFactorDue(error)) return <SecondFactorNeeded />;
  return <LoadFailed title={title} busy={busy} onRetry={onRetry} />;
}
