import { classNames } from "./class-names.ts";
import type { Bar } from "./bar.ts";

export interface LineChartProps {
  /** What the line shows, with the figures that matter, for those who cannot see it. */
  readonly label: string;
  /** From left to right. */
  readonly points: readonly Bar[];
  readonly className?: string | undefined;
}

const height = 100;

/** A line over time in the current accent, from nothing upwards, or from what is below. Put the figures beside it as a table too. */
export function LineChart({ label, points, className }: LineChartProps) {
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
  const yOf = (value: number) => height - ((value - least) / (most - least)) * height;
  const line = values.map((value, index) => `${index},${yOf(value).toFixed(2)}`).join(" ");
  const last = Math.max(1, points.length - 1);
  return (
    <div className={classNames("grid grid-cols-1 gap-1", className)}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 -2 ${last} ${height + 4}`}
        preserveAspectRatio="none"
        className="h-32 w-full border-b border-control-line"
      >
        <polygon
          points={`0,${yOf(0)} ${line} ${points.length - 1},${yOf(0)}`}
          className="fill-accent opacity-10"
        />
        <polyline
          points={line}
          fill="none"
          vectorEffect="non-scaling-stroke"
          strokeWidth={2}
          strokeLinejoin="round"
          className="stroke-accent"
        />
      </svg>
      <div aria-hidden className="flex justify-between text-xs text-muted">
        <span>{points[0]?.label}</span>
        <span>{points.length > 1 ? points.at(-1)?.label : null}</span>
      </div>
    </div>
  );
}
