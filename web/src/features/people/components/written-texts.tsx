import { BookOpen, GraduationCap } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { libraryPath, sections } from "@/domain/library-paths.ts";
import { salePath, trainingCoursePath } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import type { ListedText, MemberProfile } from "../model/member.ts";
import { useWrittenTexts } from "../queries.ts";
import { explainPeopleError, memberPageStrings, writtenTextNames } from "../strings.ts";

/** What a member wrote, as far as the reader may open or buy it: the newest, and on a press the rest, page by page. */
export function WrittenTexts({
  author,
  texts: { count, newest },
}: {
  readonly author: string;
  readonly texts: MemberProfile["texts"];
}) {
  const [asked, setAsked] = useState(false);
  const { data, isError, error, isFetching, refetch, hasNextPage, fetchNextPage } = useWrittenTexts(
    author,
    newest.at(-1),
    asked,
  );
  const texts = [...newest, ...(data?.pages.flatMap((page) => page.texts) ?? [])];
  const isMore = count > newest.length && (data === undefined || hasNextPage);

  function showMore() {
    setAsked(true);
    if (data) void fetchNextPage();
    else if (isError) void refetch();
  }

  return (
    <section aria-labelledby="texts" className="grid gap-3">
      <h2 id="texts" className="display text-xl">
        {memberPageStrings.textsTitle}
      </h2>
      <ul aria-labelledby="texts" aria-busy={isFetching} className="grid gap-3 sm:grid-cols-2">
        {texts.map((text) => (
          <li key={text.id}>
            <TextCard text={text} />
          </li>
        ))}
      </ul>
      {isMore ? (
        <p className="text-sm text-muted">{memberPageStrings.newestTexts(texts.length, count)}</p>
      ) : null}
      {isError && !isFetching ? (
        <p role="alert" className="text-sm text-muted">
          {memberPageStrings.moreTextsFailed} {explainPeopleError(error)}
        </p>
      ) : null}
      {isMore ? (
        <Button
          variant="secondary"
          className="justify-self-center"
          loading={isFetching}
          onClick={showMore}
        >
          {memberPageStrings.moreTexts}
        </Button>
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
