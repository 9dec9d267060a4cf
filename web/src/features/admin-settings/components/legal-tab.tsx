import { legalKinds, legalNames, useLegalText, type LegalKind } from "@/features/legal/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import type { SettingsPartProps } from "../model/filters.ts";
import { billingRulesStrings, legalSettingsStrings, vatSettingsStrings } from "../strings.ts";
import { BillingRulesForm } from "./billing-rules-form.tsx";
import { BusinessForm } from "./business-form.tsx";
import { LegalTextForm } from "./legal-text-form.tsx";
import { VatForm } from "./vat-form.tsx";

/** Who sells here, and the texts that members accept. */
export function LegalTab({ filters, setFilters }: SettingsPartProps) {
  const open = legalKinds.find((kind) => kind === filters.open) ?? null;
  const close = () => setFilters({ open: "" });
  return (
    <div className="grid grid-cols-1 gap-8">
      <section aria-labelledby="business" className="grid gap-4">
        <h2 id="business" className="text-lg font-medium">
          {legalSettingsStrings.business}
        </h2>
        <p className="max-w-prose text-muted">{legalSettingsStrings.businessIntro}</p>
        <BusinessForm />
      </section>
      <section aria-labelledby="vat" className="grid gap-4">
        <h2 id="vat" className="text-lg font-medium">
          {vatSettingsStrings.title}
        </h2>
        <p className="max-w-prose text-muted">{vatSettingsStrings.intro}</p>
        <VatForm />
      </section>
      <section aria-labelledby="billing-rules" className="grid gap-4">
        <h2 id="billing-rules" className="text-lg font-medium">
          {billingRulesStrings.title}
        </h2>
        <p className="max-w-prose text-muted">{billingRulesStrings.intro}</p>
        <BillingRulesForm />
      </section>
      <section aria-labelledby="legal-texts" className="grid gap-4">
        <h2 id="legal-texts" className="text-lg font-medium">
          {legalSettingsStrings.texts}
        </h2>
        <p className="max-w-prose text-muted">{legalSettingsStrings.textsIntro}</p>
        <Card className="p-0 sm:p-0">
          <ul className="divide-y divide-line">
            {legalKinds.map((kind) => (
              <LegalTextRow key={kind} kind={kind} onEdit={() => setFilters({ open: kind })} />
            ))}
          </ul>
        </Card>
      </section>
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(stays) => (stays ? undefined : close())}
        title={open === null ? "" : legalSettingsStrings.editTitle(legalNames[open])}
        description={legalSettingsStrings.editHint}
      >
        {open === null ? null : <LegalTextForm key={open} kind={open} onDone={close} />}
      </Sheet>
    </div>
  );
}

function LegalTextRow({ kind, onEdit }: { readonly kind: LegalKind; readonly onEdit: () => void }) {
  const { data, isError, isFetching, refetch } = useLegalText(kind);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
      <div className="grid gap-0.5">
        <p className="font-medium">{legalNames[kind]}</p>
        {data === undefined && !isError ? <Skeleton className="h-5 w-48" /> : null}
        {data ? (
          <p className="text-sm text-muted">
            {legalSettingsStrings.version(data.version, longDate(data.publishedAt))}
          </p>
        ) : null}
        {data === undefined && isError ? (
          <LoadFailed
            title={legalSettingsStrings.loadFailed}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : null}
      </div>
      <Button
        variant="secondary"
        size="sm"
        disabled={!data}
        aria-label={legalSettingsStrings.editLabel(legalNames[kind])}
        onClick={onEdit}
      >
        {legalSettingsStrings.edit}
      </Button>
    </li>
  );
}
