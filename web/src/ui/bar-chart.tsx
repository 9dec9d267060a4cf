import { classNames } from "./class-names.ts";

export interface Bar {
  /** What the bar stands for, such as `3 November`. */
  readonly label: string;
  readonly value: number;
}

export interface BarChartProps {
  /** What the bars show, with the figures that matter, for those who cannot see them. */
  readonly label: string;
  /** From left to right. */
  readonly bars: readonly Bar[];
  readonly className?: string | undefined;
}

const slot = 10;
const height = 60;

/** Small bars over time in the current accent. Put the figures beside it as a table too. */
export function BarChart({ label, bars, className }: BarChartProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const width = bars.length * slot;
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <div className={classNames("grid gap-1", className)}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block h-20 w-full border-b border-control-line"
      >
        {bars.map((bar, index) => {
          // Something that happened is always seen, however much happened elsewhere.
          const tall = bar.value === 0 ? 0 : Math.max(2, (bar.value / most) * height);
          return (
            <g key={bar.label}>
              <rect
                x={index * slot + 1.5}
                y={height - tall}
                width={slot - 3}
                height={tall}
                fill="var(--accent)"
              />
              <rect x={index * slot} y={0} width={slot} height={height} fill="transparent">
                <title>{`${bar.label}: ${bar.value}`}</title>
              </rect>
            </g>
          );
        })}
      </svg>
      <div aria-hidden className="flex justify-between text-xs text-muted">
        <span>{first?.label}</span>
        <span>{bars.length > 1 ? last?.label : null}</span>
      </div>
    </div>
  );
}
