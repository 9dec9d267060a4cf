import { Component, lazy, Suspense, type ReactNode } from "react";
import type { Bar } from "./bar.ts";
import { classNames } from "./class-names.ts";

const BarDrawing = lazy(() => import("./bar-drawing.tsx"));

export interface BarChartProps {
  /** What the bars show, with the figures that matter, for those who cannot see them. */
  readonly label: string;
  /** From left to right. */
  readonly bars: readonly Bar[];
  readonly className?: string | undefined;
}

/** Small bars over time in the current accent. Put the figures beside it as a table too. */
export function BarChart({ label, bars, className }: BarChartProps) {
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <div className={classNames("grid grid-cols-1 gap-1", className)}>
      <div role="img" aria-label={label} className="h-20 border-b border-control-line">
        <DrawingBoundary>
          <Suspense fallback={null}>
            <BarDrawing bars={bars} />
          </Suspense>
        </DrawingBoundary>
      </div>
      <div aria-hidden className="flex justify-between text-xs text-muted">
        <span>{first?.label}</span>
        <span>{bars.length > 1 ? last?.label : null}</span>
      </div>
    </div>
  );
}

/** The bars are code of their own. Where it doesn't load, the figures of the table remain. */
class DrawingBoundary extends Component<
  { readonly children: ReactNode },
  { readonly failed: boolean }
> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(this: void): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? (
      <p className="text-sm text-muted">The chart couldn&apos;t be drawn.</p>
    ) : (
      this.props.children
    );
  }
}
