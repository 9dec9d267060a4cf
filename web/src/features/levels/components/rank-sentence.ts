import { brand } from "@/domain/brand.ts";
import { pluralise, formatCount } from "@/lib/format-count.ts";
import { lazily } from "@/lib/lazily.ts";
import type { EngagementRank } from "../model/rank.ts";
import { progressSummaryStrings } from "../strings.ts";

const share = lazily(
  () => new Intl.NumberFormat(brand.locale, { maximumFractionDigits: 1, roundingMode: "floor" }),
);

/** The rank as a sentence. */
export function rankSentence({ engagements, percentile, members }: EngagementRank): string {
  if (engagements === 0) return progressSummaryStrings.noRank;
  const yours = pluralise(engagements, "engagement");
  if (members <= 1) return progressSummaryStrings.rankAlone(yours);
  return progressSummaryStrings.rank(yours, share().format(percentile), formatCount(members));
}
