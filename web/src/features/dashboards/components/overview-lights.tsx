import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Card } from "@/ui/card.tsx";
import { inPartOrder, type HostLights, type Overview } from "../model/overview.ts";
import { lightStrings } from "../strings.ts";

/** Database, disk, jobs, e-mail, card provider and backups, as each host last told. */
export function SystemLights({ overview }: { readonly overview: Overview }) {
  const { hosts } = overview;
  return (
    <Card className="grid content-start gap-4 md:col-span-2 xl:col-span-3">
      <h2 className="text-sm font-medium text-muted">{lightStrings.title}</h2>
      {hosts.length === 0 ? <p className="text-sm">{lightStrings.none}</p> : null}
      {hosts.map((host) => (
        <HostSection key={host.name} host={host} isNamed={hosts.length > 1} />
      ))}
    </Card>
  );
}

function HostSection({
  host,
  isNamed,
}: {
  readonly host: HostLights;
  /** With one host its name says nothing. */
  readonly isNamed: boolean;
}) {
  const now = useNow();
  const { name, silentSince } = host;
  return (
    <section aria-label={isNamed ? `${lightStrings.title}: ${name}` : lightStrings.title}>
      {isNamed ? <h3 className="mb-2 text-sm font-medium break-words">{name}</h3> : null}
      <ul className="grid gap-x-8 gap-y-3 text-sm sm:grid-cols-2 xl:grid-cols-3">
        {silentSince === null ? (
          inPartOrder(host.checks).map(({ part, state, detail }) => (
            <Light key={part} state={state} title={lightStrings.parts[part] ?? part}>
              {detail}
            </Light>
          ))
        ) : (
          <Light state="failing" title={name}>
            {lightStrings.silent(timeAgo(silentSince, now))}
          </Light>
        )}
      </ul>
    </section>
  );
}

const icons = {
  ok: { Icon: CircleCheck, colour: "text-good" },
  warning: { Icon: TriangleAlert, colour: "text-warn" },
  failing: { Icon: CircleX, colour: "text-danger" },
} as const;

function Light({
  state,
  title,
  children,
}: {
  readonly state: string;
  readonly title: string;
  readonly children: string | null;
}) {
  const { Icon, colour } = state === "ok" || state === "warning" ? icons[state] : icons.failing;
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${colour}`} />
      <span className="min-w-0 break-words">
        <span className="font-medium">{title}</span>{" "}
        <span className="sr-only">{lightStrings.states[state] ?? state}</span>
        {children === null ? null : (
          <span className="block text-muted first-letter:uppercase">{children}</span>
        )}
      </span>
    </li>
  );
}
