import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { AuthPage } from "@/features/session/index.ts";
import { Button } from "@/ui/button.tsx";
import { ClaimFigures } from "../components/claim-figures.tsx";
import { guaranteePageStrings, termSections } from "../strings.ts";

/** `/guarantee`: the terms, for visitors and members alike. */
export function GuaranteePage() {
  return (
    <AuthPage width="wide" title={guaranteePageStrings.title} intro={guaranteePageStrings.intro}>
      <div className="grid gap-8">
        {termSections.map(({ title, list, paragraphs }) => (
          <section key={title} className="grid max-w-[68ch] gap-2">
            <h2 className="font-semibold">{title}</h2>
            {list === undefined ? null : (
              <ul className="list-disc pl-5 text-muted">
                {list.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            )}
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
