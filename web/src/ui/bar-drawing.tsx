import { Bar as Bars, BarChart, Tooltip, XAxis, type TooltipContentProps } from "recharts";
import type { Bar } from "./bar.ts";

/** Pixels. Something that happened is always seen, however much happened elsewhere. */
const leastHeight = 2;

/** The bars of a chart, in a module of their own because they bring a library. The one who shows them describes them in words. */
export default function BarDrawing({ bars }: { readonly bars: readonly Bar[] }) {
  return (
    <BarChart
      responsive
      data={[...bars]}
      margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
      barCategoryGap="15%"
      accessibilityLayer={false}
      className="size-full"
    >
      <XAxis dataKey="label" hide />
      <Tooltip
        content={Reading}
        cursor={{ fill: "var(--color-hover)" }}
        isAnimationActive={false}
      />
      <Bars
        dataKey="value"
        fill="var(--accent)"
        isAnimationActive={false}
        minPointSize={(value) => (Number(value) > 0 ? leastHeight : 0)}
      />
    </BarChart>
  );
}

/** What the pointed bar stands for. */
function Reading({ active, label, payload }: TooltipContentProps) {
  const value = payload[0]?.value;
  if (!active || value === undefined) return null;
  return (
    <p className="tabular rounded-control border border-line bg-raised px-2 py-1 text-xs whitespace-nowrap text-ink shadow-float">
      {label}: {value}
    </p>
  );
}
