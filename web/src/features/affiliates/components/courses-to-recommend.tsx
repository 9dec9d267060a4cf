import { Copy } from "lucide-react";
import { formatPence } from "@/domain/brand.ts";
import { withChosenCourse } from "@/domain/chosen-plan.ts";
import { invitationPath, salePath } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { copyAddress } from "@/ui/copy-text.ts";
import { TextLink } from "@/ui/text-link.tsx";
import { useCoursesOnSale } from "../queries.ts";
import { affiliateStrings } from "../strings.ts";

/** Courses that people can buy without a membership, each with the member's link to it. Nothing while there is none. */
export function CoursesToRecommend({ code }: { readonly code: string }) {
  const { data } = useCoursesOnSale();
  if (data === undefined || data.courses.length === 0) return null;

  const copy = (slug: string) =>
    copyAddress(withChosenCourse(invitationPath(code), slug), affiliateStrings.courseLinkCopied);

  return (
    <section aria-labelledby="recommend" className="grid grid-cols-1 gap-3">
      <h2 id="recommend" className="display text-xl">
        {affiliateStrings.courses}
      </h2>
      <p className="max-w-prose text-muted">
        {affiliateStrings.coursesIntro(data.rateBasisPoints)}
      </p>
      <ul className="divide-y divide-line rounded-card border border-line bg-raised">
        {data.courses.map(({ slug, title, pricePence }) => (
          <li key={slug} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <span className="grid min-w-0 grow basis-48 wrap-anywhere">
              <TextLink to={salePath(slug)}>{title}</TextLink>
              <span className="tabular text-sm text-muted">{formatPence(pricePence)}</span>
            </span>
            <Button variant="secondary" size="sm" onClick={() => void copy(slug)}>
              <Copy aria-hidden className="size-4" />
              {affiliateStrings.copyLink}
              <span className="sr-only">{affiliateStrings.copyLinkTo(title)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
