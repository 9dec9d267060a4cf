import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Tone } from "./accent.ts";
import { classNames } from "./class-names.ts";

const tones = {
  danger: { Icon: CircleAlert, word: "Problem", classes: "[--accent:var(--danger)]" },
  warn: { Icon: TriangleAlert, word: "Warning", classes: "[--accent:var(--warn)]" },
  good: { Icon: CircleCheck, word: "Done", classes: "[--accent:var(--good)]" },
  info: { Icon: Info, word: "Note", classes: "[--accent:var(--info)]" },
} as const;

export interface AlertProps {
  readonly tone: Tone;
  /** A bold first line; without it a word for the tone is read to screen readers alone. */
  readonly title?: ReactNode | undefined;
  readonly children?: ReactNode | undefined;
  /** One action, such as a Retry button, at the end. */
  readonly action?: ReactNode | undefined;
  readonly className?: string | undefined;
}

/** A message beside what it is about. Problems interrupt a screen reader, the rest waits. */
export function Alert({ tone, title, children, action, className }: AlertProps) {
  const { Icon, word, classes } = tones[tone];
  return (
    <div
      role={tone === "danger" || tone === "warn" ? "alert" : "status"}
      className={classNames(
        "wash flex items-start gap-3 rounded-control border border-[color-mix(in_oklab,var(--accent)_35%,var(--line))] px-4 py-3 text-sm text-ink",
        classes,
        className,
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <div className="grid min-w-0 grow gap-1">
        {title ? <p className="font-semibold">{title}</p> : <span className="sr-only">{word}</span>}
        {children ? <div>{children}</div> : null}
        {action ? <div className="mt-2">{action}</div> : null}
      </div>
    </div>
  );
}
