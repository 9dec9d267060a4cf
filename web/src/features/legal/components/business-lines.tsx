import { useBusinessDetails } from "../queries.ts";
import { businessStrings } from "../strings.ts";

/** Who sells here, line by line. Nothing while it is not known. */
export function BusinessLines() {
  const { data } = useBusinessDetails();
  if (data === undefined) return null;
  const lines = [
    data.legalName ?? businessStrings.unnamed,
    ...(data.address?.split("\n") ?? []),
    ...(data.companyNumber === null ? [] : [businessStrings.company(data.companyNumber)]),
    ...(data.vatNumber === null ? [] : [businessStrings.vat(data.vatNumber)]),
  ];
  return (
    <address className="grid text-sm not-italic wrap-anywhere text-muted">
      {lines.map((line, place) => (
        <span key={`${place} ${line}`}>{line}</span>
      ))}
    </address>
  );
}
