import type { Accent } from "./accent.ts";
import { classNames } from "./class-names.ts";

export interface RisingStep {
  readonly number: number;
  readonly name: string;
  readonly accent: Accent;
}

/** Each step's stroke and the marker at its end, each a quarter of a 400 × 84 box. */
const strokes = [
  { path: "M4 78 C 34 78 66 72 100 62", x: 100, y: 62 },
  { path: "M100 62 C 134 52 164 53 200 44", x: 200, y: 44 },
  { path: "M200 44 C 236 35 266 34 300 23", x: 300, y: 23 },
  { path: "M300 23 C 334 12 362 10 394 6", x: 394, y: 6 },
] as const;

export interface RisingLineProps {
  readonly steps: readonly RisingStep[];
  /** Steps up to this number are drawn in full colour, the rest are waiting. */
  readonly reached?: number | undefined;
  /** Draws itself from the left when it appears. */
  readonly drawing?: boolean | undefined;
  /** Fills the box that `className` gives it, instead of keeping its proportions. */
  readonly stretched?: boolean | undefined;
  readonly className?: string | undefined;
}

/** The motif of the product: the levels as one line that rises. It is decoration only. */
export function RisingLine({
  steps,
  reached = steps.length,
  drawing = false,
  stretched = false,
  className,
}: RisingLineProps) {
  const drawn = strokes.flatMap((stroke, index) => {
    const step = steps[index];
    return step ? [{ ...step, ...stroke, done: step.number <= reached }] : [];
  });
  return (
    <svg
      viewBox="0 0 400 84"
      preserveAspectRatio={stretched ? "none" : undefined}
      aria-hidden
      focusable="false"
      className={classNames(
        "block w-full overflow-visible",
        drawing && "animate-[unveil_1200ms_var(--ease-out)_200ms_both]",
        className,
      )}
    >
      <g fill="none" strokeLinecap="round">
        {drawn.map((step) => (
          <path
            key={step.number}
            d={step.path}
            stroke={step.done ? `var(--${step.accent})` : "var(--control-line)"}
            strokeWidth={step.done ? 3 : 2}
            strokeDasharray={step.done ? undefined : "0.1 7"}
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {/* Markers are strokes without length, so that they keep their size at any width. */}
        {drawn.map((step) => (
          <g key={step.number}>
            <Marker x={step.x} y={step.y} width={18} stroke="var(--paper)" />
            <Marker
              x={step.x}
              y={step.y}
              width={12}
              stroke={step.done ? `var(--${step.accent})` : "var(--control-line)"}
            />
            {step.done ? null : <Marker x={step.x} y={step.y} width={8} stroke="var(--paper)" />}
          </g>
        ))}
      </g>
    </svg>
  );
}

interface MarkerProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly stroke: string;
}

function Marker({ x, y, width, stroke }: MarkerProps) {
  return (
    <path
      d={`M${x} ${y}h0.01`}
      stroke={stroke}
      strokeWidth={width}
      vectorEffect="non-scaling-stroke"
    />
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
