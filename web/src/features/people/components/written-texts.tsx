import { BookOpen, GraduationCap } from "lucide-react";
import { Link } from "react-router";
import { libraryPath, sections } from "@/domain/library-paths.ts";
import { salePath, trainingCoursePath } from "@/domain/paths.ts";
import type { ListedText, MemberProfile } from "../model/member.ts";
import { memberPageStrings, writtenTextNames } from "../strings.ts";

/** What a member wrote, as far as the reader may open or buy it. */
export function WrittenTexts({
  texts: { count, newest },
}: {
  readonly texts: MemberProfile["texts"];
}) {
  return (
    <section aria-labelledby="texts" className="grid gap-3">
      <h2 id="texts" className="display text-xl">
        {memberPageStrings.textsTitle}
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2">
        {newest.map((text) => (
          <li key={text.id}>
            <TextCard text={text} />
          </li>
        ))}
      </ul>
      {count > newest.length ? (
        <p className="text-sm text-muted">{memberPageStrings.newestTexts(newest.length, count)}</p>
      ) : null}
    </section>
  );
}

function pathOf({ id, kind, category, subcategory, saleSlug, isTraining }: ListedText): string {
  if (saleSlug !== null) return salePath(saleSlug);
  if (isTraining) return trainingCoursePath(id);
  return libraryPath(category, kind === "article" ? "articles" : "courses", subcategory, id);
}

function TextCard({ text }: { readonly text: ListedText }) {
  const { kind, title, category, minutes, saleSlug } = text;
  const { segment, name } = sections[category];
  const Icon = kind === "article" ? BookOpen : GraduationCap;
  const length = minutes === 0 ? null : memberPageStrings.minutes(kind, minutes);
  const facts = [
    writtenTextNames[kind],
    name,
    saleSlug === null ? length : memberPageStrings.textOnSale,
  ];
  return (
    <Link
      to={pathOf(text)}
      data-accent={segment}
      className="flex h-full gap-3 rounded-card border border-line bg-raised p-4 hover:border-control-line"
    >
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
      <span className="grid min-w-0 content-start gap-0.5">
        <bdi className="font-medium wrap-anywhere">{title}</bdi>
        <span className="tabular text-sm text-muted">
          {facts.filter((fact) => fact !== null).join(" · ")}
        </span>
      </span>
    </Link>
  );
}
