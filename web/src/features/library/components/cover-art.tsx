import type { Category } from "@/domain/categories.ts";
import { classNames } from "@/ui/class-names.ts";
import { coverHeight, coverWidth, drawCover, type CoverShape } from "../model/cover.ts";

const strength = { 1: 19, 2: 32, 3: 50, 4: 88 } as const;

function colourOf(tone: CoverShape["tone"]): string {
  return `color-mix(in oklab, var(--accent) ${strength[tone]}%, var(--raised))`;
}

export interface CoverArtProps {
  readonly category: Category;
  /** Slug of the subcategory. */
  readonly topic: string;
  readonly slug: string;
  readonly className?: string | undefined;
}

/** A drawn cover. It is decoration; the title stands beside it. */
export function CoverArt({ category, topic, slug, className }: CoverArtProps) {
  return (
    <svg
      aria-hidden
      focusable="false"
      viewBox={`0 0 ${coverWidth} ${coverHeight}`}
      preserveAspectRatio="xMidYMid slice"
      className={classNames("wash block w-full", className)}
    >
      {drawCover(category, topic, slug).map(({ d, tone, line }, index) => (
        <path
          key={`${index}-${d}`}
          d={d}
          fill={line === undefined ? colourOf(tone) : "none"}
          {...(line === undefined ? {} : { stroke: colourOf(tone), strokeWidth: line })}
        />
      ))}
    </svg>
  );
}
