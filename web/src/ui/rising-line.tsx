import type { Accent } from "./accent.ts";
import { classNames } from "./class-names.ts";

export interface RisingStep {
  readonly number: number;
  readonly name: string;
  readonly accent: Accent;
}

/** Where each step's marker stands, and the stroke that leads to it, in a 400 × 120 box. */
const strokes = [
  { path: "M8 108 C 30 108 40 100 56 92", x: 56, y: 92 },
  { path: "M56 92 C 92 74 118 76 152 68", x: 152, y: 68 },
  { path: "M152 68 C 194 58 214 54 252 40", x: 252, y: 40 },
  { path: "M252 40 C 296 24 316 18 360 12", x: 360, y: 12 },
] as const;

export interface RisingLineProps {
  readonly steps: readonly RisingStep[];
  /** Steps up to this number are drawn in full colour, the rest are waiting. */
  readonly reached?: number | undefined;
  readonly className?: string | undefined;
}

/** The motif of the product: the levels as one line that rises. It is decoration only. */
export function RisingLine({ steps, reached = steps.length, className }: RisingLineProps) {
  return (
    <svg
      viewBox="0 0 400 120"
      aria-hidden
      focusable="false"
      className={classNames("block w-full overflow-visible", className)}
    >
      {strokes.map((stroke, index) => {
        const step = steps[index];
        if (!step) return null;
        const done = step.number <= reached;
        const colour = done ? `var(--${step.accent})` : "var(--line)";
        return (
          <g key={step.number}>
            <path
              d={stroke.path}
              fill="none"
              stroke={colour}
              strokeWidth="3"
              strokeLinecap="round"
              strokeDasharray={done ? undefined : "1 7"}
            />
            <circle
              cx={stroke.x}
              cy={stroke.y}
              r="6"
              fill={done ? colour : "var(--raised)"}
              stroke={done ? "var(--paper)" : "var(--control-line)"}
              strokeWidth="2"
            />
          </g>
        );
      })}
    </svg>
  );
}

/** The four strokes as a mark beside the product's name. */
export function RisingMark({ className }: { readonly className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 28 28"
      aria-hidden
      focusable="false"
      className={classNames("size-7", className)}
    >
      <g fill="none" strokeWidth="3.2" strokeLinecap="round">
        <path d="M4.5 23.5v-3" stroke="var(--community)" />
        <path d="M10.8 23.5v-7.5" stroke="var(--knowledge)" />
        <path d="M17.2 23.5v-12.5" stroke="var(--business)" />
        <path d="M23.5 23.5v-18.5" stroke="var(--wealth)" />
      </g>
    </svg>
  );
}

/** Mark and name together. */
export function Wordmark({
  name,
  className,
}: {
  readonly name: string;
  readonly className?: string | undefined;
}) {
  return (
    <span className={classNames("inline-flex items-center gap-2", className)}>
      <RisingMark className="size-6" />
      <span className="display text-xl leading-none">{name}</span>
    </span>
  );
}
