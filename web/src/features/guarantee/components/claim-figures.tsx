import { formatCount, pluralise } from "@/lib/format-count.ts";
import { useGuaranteeFigures } from "../queries.ts";

/** How claims ended so far. The terms stand without it. */
export function ClaimFigures() {
  const { data } = useGuaranteeFigures();
  if (data === undefined) return null;
  return (
    <section className="grid max-w-[68ch] gap-2">
      <h2 className="font-semibold">Claims so far</h2>
      <p className="tabular text-muted">
        {data === null
          ? "Fewer than five claims have been decided. From the fifth on we say how they ended, so that nobody can be told apart."
          : `${pluralise(data.decided, "claim")} decided, ${formatCount(data.granted)} granted. Claims that didn't meet the terms are counted as decided.`}
      </p>
    </section>
  );
}
