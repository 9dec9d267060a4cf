import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** Keeps a percentage between 0 and 100. */
function bounded(value: number): number {
  return Math.min(100, Math.max(0, Number.isFinite(value) ? value : 0));
}

export interface ProgressBarProps {
  /** What advances, read to screen readers. */
  readonly label: string;
  /** 0 to 100. */
  readonly value: number;
  /** Words for the value, such as `3 of 9`. */
  readonly valueText?: string | undefined;
  readonly className?: string | undefined;
}

/** A thin bar that fills with the current accent. */
export function ProgressBar({ label, value, valueText, className }: ProgressBarProps) {
  const percent = bounded(value);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      aria-valuetext={valueText}
      data-meter=""
      className={classNames("h-1.5 overflow-hidden rounded-full bg-line", className)}
    >
      <div
        className="h-full rounded-full bg-accent transition-[width]"
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}

export interface ProgressRingProps extends ProgressBarProps {
  /** Diameter in pixels. */
  readonly size?: number | undefined;
  readonly children?: ReactNode | undefined;
}

/** A ring that fills clockwise from the top, with room for a figure inside. */
export function ProgressRing({
  label,
  value,
  valueText,
  size = 120,
  className,
  children,
}: ProgressRingProps) {
  const percent = bounded(value);
  const stroke = Math.max(5, size / 14);
  const radius = (size - stroke) / 2;
  const length = 2 * Math.PI * radius;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      aria-valuetext={valueText}
      className={classNames("relative grid shrink-0 place-items-center", className)}
      style={{ width: size, height: size }}
    >
      <svg aria-hidden viewBox={`0 0 ${size} ${size}`} className="absolute inset-0 -rotate-90">
        <circle
          cx={size / 2}
          cy={size / 2}
          r={radius}
          fill="none"
          stroke="var(--line)"
          strokeWidth={stroke}
        />
        {percent > 0 ? (
          <circle
            cx={size / 2}
            cy={size / 2}
            r={radius}
            fill="none"
            stroke="var(--accent)"
            strokeWidth={stroke}
            strokeLinecap="round"
            strokeDasharray={length}
            strokeDashoffset={length * (1 - percent / 100)}
            className="transition-[stroke-dashoffset]"
          />
        ) : null}
      </svg>
      <div className="relative text-center">{children}</div>
    </div>
  );
}
