import type { ReactNode } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { PushState } from "../api/push-device.ts";
import { useTurnPush } from "../mutations.ts";
import { usePushState } from "../queries.ts";
import { explainPushError, pushStrings } from "../strings.ts";

/** Push messages on the device in front of one. */
export function PushSettings() {
  const { config } = useBackend();
  return (
    <section aria-label={pushStrings.heading} className="grid gap-2">
      <h3 className="text-sm font-medium">{pushStrings.heading}</h3>
      {config.vapidPublicKey === null ? (
        <Explanation>{pushStrings.notSet}</Explanation>
      ) : (
        <ThisDevice publicKey={config.vapidPublicKey} />
      )}
    </section>
  );
}

function Explanation({ children }: { readonly children: ReactNode }) {
  return <p className="text-sm text-muted">{children}</p>;
}

function ThisDevice({ publicKey }: { readonly publicKey: string }) {
  const { data, isError, isFetching, refetch } = usePushState();
  if (data) return <PushSwitch state={data} publicKey={publicKey} />;
  if (isError) {
    return (
      <LoadFailed title={pushStrings.loadFailed} busy={isFetching} onRetry={() => void refetch()} />
    );
  }
  return (
    <Loading label={pushStrings.loading}>
      <Skeleton className="h-20" />
    </Loading>
  );
}

function PushSwitch({
  state,
  publicKey,
}: {
  readonly state: PushState;
  readonly publicKey: string;
}) {
  const turning = useTurnPush(publicKey);
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-sm text-muted" role="status">
        {pushStrings[state]}
      </p>
      {state === "on" || state === "off" ? (
        <Button
          variant="secondary"
          loading={turning.isPending}
          onClick={() => turning.mutate(state === "off")}
        >
          {state === "on" ? pushStrings.turnOff : pushStrings.turnOn}
        </Button>
      ) : null}
      {turning.isError ? <Alert tone="danger">{explainPushError(turning.error)}</Alert> : null}
    </div>
  );
}
