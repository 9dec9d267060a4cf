import type { ComponentProps, ReactNode } from "react";
import type { Accent, Tone } from "./accent.ts";
import { classNames } from "./class-names.ts";

const colours = {
  plain: "[--accent:var(--muted)]",
  danger: "[--accent:var(--danger)]",
  warn: "[--accent:var(--warn)]",
  good: "[--accent:var(--good)]",
  info: "[--accent:var(--info)]",
  community: "[--accent:var(--community)]",
  knowledge: "[--accent:var(--knowledge)]",
  business: "[--accent:var(--business)]",
  wealth: "[--accent:var(--wealth)]",
  admin: "[--accent:var(--role-admin)]",
  mentor: "[--accent:var(--role-mentor)]",
  student: "[--accent:var(--role-student)]",
} as const satisfies Record<Accent | Tone | "plain" | "admin" | "mentor" | "student", string>;

export interface BadgeProps extends ComponentProps<"span"> {
  readonly colour?: keyof typeof colours | undefined;
  readonly icon?: ReactNode | undefined;
}

/** A small word about something: a state, a count, a kind. */
export function Badge({ colour = "plain", icon, className, children, ...rest }: BadgeProps) {
  return (
    <span
      data-edge=""
      className={classNames(
        "wash inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap text-[color-mix(in_oklab,var(--accent)_82%,var(--ink))]",
        colours[colour],
        className,
      )}
      {...rest}
    >
      {icon}
      {children}
    </span>
  );
}

/** Who is speaking: the name of a role in that role's colour. */
export function RoleBadge({
  role,
  label,
}: {
  readonly role: "admin" | "mentor" | "student";
  readonly label: string;
}) {
  return (
    <Badge colour={role} data-role={role}>
      {label}
    </Badge>
  );
}

export interface LevelBadgeProps {
  readonly number: number;
  readonly name: string;
  readonly accent: Accent;
  /** Beside a title, which has the room on the narrowest phones. */
  readonly inBar?: boolean;
}

/** A level as its number and name. */
export function LevelBadge({ number, name, accent, inBar = false }: LevelBadgeProps) {
  return (
    <span
      data-accent={accent}
      data-edge=""
      className={classNames(
        "wash inline-flex items-center gap-2 rounded-full py-1 pr-3 pl-1 text-sm font-medium whitespace-nowrap text-ink",
        inBar ? "max-[22rem]:pr-1" : "tiny:pr-1",
      )}
    >
      <span
        aria-hidden
        data-edge=""
        className="tabular grid size-6 place-items-center rounded-full bg-accent text-xs font-semibold text-on-accent"
      >
        {number}
      </span>
      <span className={inBar ? "max-[22rem]:sr-only" : "tiny:sr-only"}>
        <span className="sr-only">Level {number}: </span>
        {name}
      </span>
    </span>
  );
}
