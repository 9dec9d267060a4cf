import { StatFigure } from "@/ui/stat-figure.tsx";
import { analyticsStrings } from "../strings.ts";

export interface ComparedFiguresProps {
  /** The mentor's other texts of the kind, such as `Your other courses`. */
  readonly label: string;
  /** What is compared, such as `completed`. */
  readonly finished: string;
  /** Such as `courses`. */
  readonly noun: string;
  /** How many others of the mentor there are. */
  readonly ownCount: number;
  /** In per cent; null when there is nothing to compare with. */
  readonly ownRate: number | null;
  /** In per cent; null when the category has too few to compare with. */
  readonly categoryRate: number | null;
}

/** The medians that a share stands beside. Put it inside a `<dl>`. */
export function ComparedFigures(props: ComparedFiguresProps) {
  const { label, finished, noun, ownCount, ownRate, categoryRate } = props;
  return (
    <>
      <StatFigure
        label={label}
        value={percentText(ownRate)}
        note={
          ownCount === 0 ? analyticsStrings.noOthers : analyticsStrings.comparedMedian(finished)
        }
      />
      <StatFigure
        label={analyticsStrings.comparedCategory}
        value={percentText(categoryRate)}
        note={
          categoryRate === null
            ? analyticsStrings.tooFewInCategory(noun)
            : analyticsStrings.comparedMedian(finished)
        }
      />
    </>
  );
}

/** `42%`, or a dash for what is unknown. */
export function percentText(percent: number | null): string {
  return percent === null ? "–" : `${percent}%`;
}
