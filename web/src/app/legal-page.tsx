import { Link, useSearchParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import {
  BusinessLines,
  businessStrings,
  legalKinds,
  legalNames,
  legalPageStrings,
  useBillingRules,
  useLegalText,
  useSellsYears,
  type LegalKind,
} from "@/features/legal/index.ts";
import { ReadingText, TextSkeleton } from "@/features/library/index.ts";
import { AuthPage } from "@/features/session/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { TextLink } from "@/ui/text-link.tsx";

/** A version that the address names; null for the one in force. */
function useWantedVersion(): number | null {
  const [search] = useSearchParams();
  const given = search.get("version") ?? "";
  return /^[1-9]\d{0,5}$/.test(given) ? Number(given) : null;
}

/** `/terms`, `/privacy` and `/refunds`: the version in force, or the one of `?version=`, for visitors and members alike. */
export function LegalPage({ kind }: { readonly kind: LegalKind }) {
  const wanted = useWantedVersion();
  const { data, isError, isFetching, refetch } = useLegalText(kind, wanted);
  const { data: sellsYears } = useSellsYears();
  const { data: rules } = useBillingRules();
  // Later versions are the owner's own words.
  const isOurs = data?.version === 1;
  const needsYears = sellsYears === true && kind !== "privacy" && isOurs;
  const version = wanted === null ? legalPageStrings.version : legalPageStrings.earlier;
  return (
    <AuthPage
      width="wide"
      title={legalNames[kind]}
      intro={data ? version(data.version, longDate(data.publishedAt)) : undefined}
      footer={
        <nav aria-label={legalPageStrings.others} className="flex flex-wrap gap-x-6">
          {legalKinds
            .filter((other) => other !== kind)
            .map((other) => (
              <Link
                key={other}
                to={paths[other]}
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                {legalNames[other]}
              </Link>
            ))}
        </nav>
      }
    >
      <div className="grid grid-cols-1 gap-8">
        {data === undefined && isError ? (
          <LoadFailed
            title={legalPageStrings.loadFailed}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : null}
        {data === undefined && !isError ? <TextSkeleton /> : null}
        {data?.summary ? <Alert tone="info">{legalPageStrings.changed(data.summary)}</Alert> : null}
        {wanted === null ? null : (
          <p>
            {data === null ? `${legalPageStrings.noVersion} ` : null}
            <TextLink to={paths[kind]}>{legalPageStrings.toCurrent}</TextLink>
          </p>
        )}
        {data === null && wanted === null ? <p>{legalPageStrings.none}</p> : null}
        {data ? <ReadingText markdown={data.body} /> : null}
        {needsYears ? <p>{legalPageStrings.years}</p> : null}
        {isOurs && kind === "terms" && rules ? (
          <>
            {rules.pauseMonths > 0 ? <p>{legalPageStrings.pauses(rules.pauseMonths)}</p> : null}
            <p>{legalPageStrings.gifts}</p>
          </>
        ) : null}
        <section aria-labelledby="business" className="grid gap-2 border-t border-line pt-5">
          <h2 id="business" className="font-semibold">
            {businessStrings.title}
          </h2>
          <BusinessLines />
          <p className="text-sm text-muted">
            {businessStrings.write}{" "}
            <a className="underline underline-offset-4" href={`mailto:${businessStrings.email}`}>
              {businessStrings.email}
            </a>
          </p>
        </section>
      </div>
    </AuthPage>
  );
}
