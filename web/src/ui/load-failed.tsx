import { Alert } from "./alert.tsx";
import { Button } from "./button.tsx";

export interface LoadFailedProps {
  /** Such as `The articles could not be loaded`. */
  readonly title: string;
  readonly busy: boolean;
  readonly onRetry: () => void;
  /** What the reader may be afraid of and need not be. */
  readonly comfort?: string | undefined;
}

/** Said where what was asked for did not arrive. */
export function LoadFailed({ title, busy, onRetry, comfort }: LoadFailedProps) {
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
      {comfort === undefined ? null : `${comfort} `}Check your connection and try again.
    </Alert>
  );
}
