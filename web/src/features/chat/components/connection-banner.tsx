import { CloudOff, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { roomStrings } from "../strings.ts";
import { useOnline } from "@/lib/use-online.ts";

/** Shows that the network or the live connection is lost. */
export function ConnectionBanner({
  live,
  waiting,
}: {
  readonly live: "joining" | "live" | "lost";
  /** How many messages wait to be sent. */
  readonly waiting: number;
}) {
  const online = useOnline();
  if (!online) {
    return (
      <Line icon={<CloudOff aria-hidden className="mt-0.5 size-4 shrink-0" />}>
        {roomStrings.offline}
        {waiting > 0 ? <span className="tabular">{roomStrings.waiting(waiting)}</span> : null}
      </Line>
    );
  }
  if (live !== "lost") return null;
  return (
    <Line icon={<RefreshCw aria-hidden className="mt-0.5 size-4 shrink-0" />}>
      {roomStrings.reconnecting}
    </Line>
  );
}

function Line({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div
      role="status"
      className="wash flex shrink-0 items-start gap-2 border-t border-line px-4 py-2 text-sm [--accent:var(--warn)] sm:px-8"
    >
      {icon}
      <p>{children}</p>
    </div>
  );
}
