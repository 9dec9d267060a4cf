import { describeDetail } from "./describe-detail.ts";
import { auditStrings } from "../strings.ts";

/** What an entry holds: the reason, what it was before and after, and the rest. */
export function AuditChanges({ detail }: { readonly detail: Readonly<Record<string, unknown>> }) {
  const { reason, changes, facts } = describeDetail(detail);
  if (reason === null && changes.length === 0 && facts.length === 0) {
    return <p className="text-sm text-muted">{auditStrings.nothingMore}</p>;
  }
  return (
    <div className="grid gap-3 text-sm">
      {reason === null ? null : (
        <p className="border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-wrap">{reason}</p>
      )}
      {changes.length === 0 ? null : (
        <table className="w-full table-fixed text-left">
          <thead className="text-muted">
            <tr>
              <th scope="col" className="py-1 pr-3 font-medium">
                {auditStrings.changed}
              </th>
              <th scope="col" className="py-1 pr-3 font-medium">
                {auditStrings.before}
              </th>
              <th scope="col" className="py-1 font-medium">
                {auditStrings.after}
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field} className="border-t border-line align-top">
                <th scope="row" className="py-1.5 pr-3 font-normal">
                  {field}
                </th>
                <td className="py-1.5 pr-3 wrap-anywhere text-muted">{before ?? "–"}</td>
                <td className="py-1.5 wrap-anywhere">{after ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {facts.length === 0 ? null : (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
          {facts.map(({ label, value }) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
