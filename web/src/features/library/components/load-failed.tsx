import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";

export interface LoadFailedProps {
  /** Such as `The articles could not be loaded`. */
  readonly title: string;
  readonly busy: boolean;
  readonly onRetry: () => void;
}

/** Said where a list did not arrive. */
export function LoadFailed({ title, busy, onRetry }: LoadFailedProps) {
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
      Check your connection and try again.
    </Alert>
  );
}
