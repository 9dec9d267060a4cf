import { CircleCheck } from "lucide-react";
import { Link } from "react-router";
import type { Category } from "@/domain/categories.ts";
import { libraryPath, type Shelf } from "@/domain/library-paths.ts";
import { pluralise } from "@/lib/format-count.ts";
import { Badge } from "@/ui/badge.tsx";
import { classNames } from "@/ui/class-names.ts";
import { ProgressBar } from "@/ui/progress.tsx";
import { progressOf, type SubcategorySummary } from "../model/shelf-home.ts";
import { libraryStrings, shelfStrings, shelfWords } from "../strings.ts";
import { TopicIcon } from "./topic-icon.tsx";

export interface SubcategoryCardProps {
  readonly category: Category;
  readonly shelf: Shelf;
  readonly subcategory: SubcategorySummary;
}

/** A subcategory: what it is about, how much is in it, and how far one is. */
export function SubcategoryCard({ category, shelf, subcategory }: SubcategoryCardProps) {
  const { slug, name, description, icon, count, freeCount, done } = subcategory;
  const { percent, complete } = progressOf(done, count);
  return (
    <Link
      to={libraryPath(category, shelf, slug)}
      className={classNames(
        "group relative grid h-full grid-rows-[auto_1fr_auto] gap-3 overflow-hidden rounded-card border border-line p-5 pt-6 transition-colors hover:border-control-line",
        complete ? "bg-sunken" : "bg-raised",
      )}
    >
      {/* The level's own accent on every card: one colour says where one is. */}
      <span aria-hidden className="absolute inset-x-0 top-0 h-1.5 bg-accent" />
      <span className="flex items-center gap-3">
        <span className="wash grid size-10 shrink-0 place-items-center rounded-control text-accent">
          <TopicIcon category={category} name={icon} className="size-5" />
        </span>
        <h2 className="grow font-medium">{name}</h2>
        {complete ? (
          <Badge colour="good" icon={<CircleCheck aria-hidden className="size-3.5" />}>
            {shelfStrings.complete}
          </Badge>
        ) : null}
      </span>
      <span className="text-sm text-muted">{description}</span>
      <span className="grid gap-2 pt-1">
        <span className="tabular flex justify-between gap-3 text-sm">
          <span>
            {pluralise(count, shelfWords[shelf].one)}
            {shelf === "courses" && freeCount > 0 ? (
              <span className="text-muted">{shelfStrings.free(freeCount)}</span>
            ) : null}
          </span>
          <span className="text-muted">
            {done} {shelfWords[shelf].done}
          </span>
        </span>
        <ProgressBar
          label={`${name}, ${shelfWords[shelf].done}`}
          value={percent}
          valueText={libraryStrings.doneOf(done, count)}
        />
      </span>
    </Link>
  );
}
