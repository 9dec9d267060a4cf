import { Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { longDate, timeAgo } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { endOtherSessions, endSession, type DeviceSession } from "../api/sessions.ts";
import { useInvalidateSessions } from "../mutations.ts";
import { useSessions } from "../queries.ts";
import { deviceName, isHandheld } from "./device-name.ts";
import { sessionListStrings } from "../strings.ts";

/** Where one is signed in, each with a way to end it. */
export function SessionList() {
  const { client } = useBackend();
  const [asking, setAsking] = useState<DeviceSession | "others" | null>(null);
  const [busy, setBusy] = useState(false);
  const { data, dataUpdatedAt, isError, isFetching, refetch } = useSessions();
  const invalidateSessions = useInvalidateSessions();

  async function end(target: DeviceSession | "others") {
    setBusy(true);
    try {
      await (target === "others" ? endOtherSessions(client) : endSession(client, target.id));
      toast.good(target === "others" ? sessionListStrings.endedOthers : sessionListStrings.ended);
    } catch (error) {
      console.error("A session could not be ended", error);
      toast.danger(sessionListStrings.endFailed);
    } finally {
      setBusy(false);
      setAsking(null);
      invalidateSessions();
    }
  }

  if (!data && isError) {
    return (
      <LoadFailed
        title={sessionListStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label={sessionListStrings.loading} className="grid gap-2">
        <Skeleton className="h-16 rounded-card" />
      </Loading>
    );
  }
  return (
    <div className="grid gap-4">
      <Card className="p-0 sm:p-0">
        <ul aria-label={sessionListStrings.label} className="divide-y divide-line">
          {data.map((session) => (
            <DeviceRow
              key={session.id}
              session={session}
              now={dataUpdatedAt}
              onEnd={() => setAsking(session)}
            />
          ))}
        </ul>
      </Card>
      {data.length > 1 ? (
        <div>
          <Button variant="secondary" onClick={() => setAsking("others")}>
            {sessionListStrings.endOthers}
          </Button>
        </div>
      ) : null}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => {
          if (!open) setAsking(null);
        }}
        title={
          asking === "others" ? sessionListStrings.endOthersTitle : sessionListStrings.endTitle
        }
        description={
          asking === "others"
            ? sessionListStrings.endOthersText
            : sessionListStrings.endText(deviceName(asking?.userAgent ?? ""))
        }
        confirmLabel={
          asking === "others" ? sessionListStrings.endOthersConfirm : sessionListStrings.endConfirm
        }
        cancelLabel={sessionListStrings.stay}
        busy={busy}
        onConfirm={() => {
          if (asking !== null) void end(asking);
        }}
      />
    </div>
  );
}

function DeviceRow({
  session,
  now,
  onEnd,
}: {
  readonly session: DeviceSession;
  readonly now: number;
  readonly onEnd: () => void;
}) {
  const name = deviceName(session.userAgent);
  const Icon = isHandheld(session.userAgent) ? Smartphone : Monitor;
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Icon aria-hidden className="mt-1 size-5 shrink-0 text-muted" />
      <div className="min-w-0 grow text-sm">
        <p className="flex flex-wrap items-center gap-2 text-base font-medium">
          {name}
          {session.isCurrent ? <Badge colour="good">{sessionListStrings.thisDevice}</Badge> : null}
        </p>
        <p className="text-muted">
          {session.address === "" ? "" : <span className="tabular">{session.address} · </span>}
          {session.isCurrent
            ? sessionListStrings.activeNow
            : sessionListStrings.lastSeen(timeAgo(session.lastSeenAt, now))}
        </p>
        <p className="text-muted">{sessionListStrings.signedInOn(longDate(session.createdAt))}</p>
      </div>
      {session.isCurrent ? null : (
        <Button
          variant="quiet"
          size="sm"
          className="shrink-0 whitespace-nowrap"
          aria-label={sessionListStrings.endNamed(name)}
          onClick={onEnd}
        >
          {sessionListStrings.end}
        </Button>
      )}
    </li>
  );
}
