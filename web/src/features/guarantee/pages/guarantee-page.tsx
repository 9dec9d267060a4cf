import { Square } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { AuthPage } from "@/features/session/index.ts";
import { Button } from "@/ui/button.tsx";
import { ClaimFigures } from "../components/claim-figures.tsx";
import { guaranteeChecklist, guaranteePageStrings, termSections } from "../strings.ts";

/** What one does for it, in the order of the months, before the terms say it in full. */
function Checklist() {
  return (
    <section aria-labelledby="guarantee-checklist" className="grid gap-3">
      <h2 id="guarantee-checklist" className="display text-xl">
        {guaranteePageStrings.checklist}
      </h2>
      <ol className="divide-y divide-line rounded-card border border-line">
        {guaranteeChecklist.map(({ when, what, points }) => (
          <li key={what} className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[9rem_1fr]">
            <span className="text-sm text-muted sm:pt-0.5">{when}</span>
            <div className="grid gap-1.5">
              <span className="flex items-start gap-2.5 font-medium">
                <Square aria-hidden className="mt-1 size-4 shrink-0 text-accent" />
                {what}
              </span>
              {points.length === 0 ? null : (
                <ul aria-label={what} className="tabular grid gap-1.5 pl-6.5 text-muted">
                  {points.map((point) => (
                    <li key={point} className="flex items-start gap-2.5">
                      <Square aria-hidden className="mt-1 size-4 shrink-0" />
                      {point}
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** `/guarantee`: the terms, for visitors and members alike. */
export function GuaranteePage() {
  return (
    <AuthPage width="wide" title={guaranteePageStrings.title} intro={guaranteePageStrings.intro}>
      <div className="grid gap-8">
        <Checklist />
        {termSections.map(({ title, paragraphs }) => (
          <section key={title} className="grid max-w-prose gap-2">
            <h2 className="display text-xl">{title}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="text-muted">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
        <ClaimFigures />
        <div>
          <Button asChild variant="secondary">
            <Link to={paths.progressGuarantee}>{guaranteePageStrings.toProgress}</Link>
          </Button>
        </div>
      </div>
    </AuthPage>
  );
}
