import { Check } from "lucide-react";
import { documentRequirements, verificationStrings } from "../strings.ts";

/** What a document must be like to be accepted. */
export function RequirementsList() {
  return (
    <section aria-labelledby="document-requirements" className="grid gap-2">
      <h2 id="document-requirements" className="text-sm font-medium">
        {verificationStrings.requirementsTitle}
      </h2>
      <ul className="grid gap-1.5 text-sm text-muted">
        {documentRequirements.map((each) => (
          <li key={each} className="flex items-start gap-2">
            <Check aria-hidden className="mt-1 size-3.5 shrink-0" />
            {each}
          </li>
        ))}
      </ul>
    </section>
  );
}
