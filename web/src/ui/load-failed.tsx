import { Alert } from "./alert.tsx";
import { Button } from "./button.tsx";

export interface LoadFailedProps {
  /** Such as `The articles could not be loaded`. */
  readonly title: string;
  readonly busy: boolean;
  readonly onRetry: () => void;
  /** A reassurance, such as `Your payment is safe.` */
  readonly reassurance?: string | undefined;
  /** What to do, where the reason is known. */
  readonly advice?: string | null | undefined;
}

/** Said where what was asked for did not arrive. */
export function LoadFailed({ title, busy, onRetry, reassurance, advice }: LoadFailedProps) {
  return (
    <Alert
      tone="danger"
      title={title}
      action={
        <Button size="sm" variant="secondary" loading={busy} onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {reassurance === undefined ? null : `${reassurance} `}
      {advice ?? "Check your connection and try again."}
    </Alert>
  );
}
