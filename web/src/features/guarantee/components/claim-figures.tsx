import { useGuaranteeFigures } from "../queries.ts";
import { guaranteePageStrings } from "../strings.ts";

/** How claims ended so far. The terms stand without it. */
export function ClaimFigures() {
  const { data } = useGuaranteeFigures();
  if (data === undefined) return null;
  return (
    <section className="grid max-w-prose gap-2">
      <h2 className="font-semibold">{guaranteePageStrings.claims}</h2>
      <p className="tabular text-muted">
        {data === null
          ? guaranteePageStrings.tooFewClaims
          : guaranteePageStrings.claimFigures(data.decided, data.granted)}
      </p>
    </section>
  );
}
