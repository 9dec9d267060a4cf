import { formatVatRate } from "../model/format-vat-rate.ts";
import { useVatSetting } from "../queries.ts";
import { vatPriceStrings } from "../strings.ts";

/** Says that a price includes VAT, while it does. */
export function IncludingVat() {
  const { data } = useVatSetting();
  if (data === undefined || data.mode === "none") return null;
  return (
    <span className="text-sm text-muted">
      {data.mode === "fixed"
        ? vatPriceStrings.includingRate(formatVatRate(data.rateBasisPoints))
        : vatPriceStrings.including}
    </span>
  );
}
