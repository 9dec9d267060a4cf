import { lastDayInLondon } from "@/lib/format-time.ts";
import { formatPence } from "@/domain/brand.ts";
import { useGuaranteeRecord } from "../queries.ts";
import { guaranteeRecordStrings } from "../strings.ts";
import { BaselineForm, guaranteeHeadingId } from "./baseline-form.tsx";

/**
 * The offer to write down where one starts, for the end of onboarding. Nothing while it can't be
 * done, or when the record can't be read: it can be left out.
 *
 * @param skip says how it can be done later.
 */
export function GuaranteeStart({ skip }: { readonly skip: string }) {
  const { data: record } = useGuaranteeRecord();
  if (!record?.isBaselineOpen) return null;
  return (
    <section aria-labelledby={guaranteeHeadingId} className="grid gap-3 border-b border-line pb-6">
      <h2 id={guaranteeHeadingId} tabIndex={-1} className="font-semibold focus:outline-none">
        {guaranteeRecordStrings.title}
      </h2>
      {record.baseline ? (
        <p className="text-muted">
          {guaranteeRecordStrings.onRecord(formatPence(record.baseline.monthlyPence))}
        </p>
      ) : (
        <>
          <p className="max-w-prose text-muted">
            {guaranteeRecordStrings.start(lastDayInLondon(record.baselineUntil), record.months)}{" "}
            {skip}
          </p>
          <details>
            <summary className="min-h-11 cursor-pointer py-2.5 font-medium">
              {guaranteeRecordStrings.writeNow}
            </summary>
            <div className="pt-3">
              <BaselineForm baseline={null} />
            </div>
          </details>
        </>
      )}
    </section>
  );
}
