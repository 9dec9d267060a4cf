import {
  ArrowRight,
  BookOpen,
  GraduationCap,
  MessagesSquare,
  PenLine,
  UserRound,
} from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { categories } from "@/domain/categories.ts";
import { sections } from "@/domain/library-paths.ts";
import { memberPath } from "@/domain/paths.ts";
import { stateOfSource } from "@/domain/reading-source.ts";
import { useLevel } from "@/features/levels/index.ts";
import { useSession } from "@/features/session/index.ts";
import type { Accent } from "@/ui/accent.ts";
import { CommandPalette, type PaletteGroup } from "@/ui/command-palette.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { destinationsOf, matchDestinations } from "./destinations.ts";
import { groupResults, type SearchResult } from "../model/search-results.ts";
import { useSearch } from "../queries.ts";
import { searchStrings, resultHeadings } from "../strings.ts";

const icons = {
  article: BookOpen,
  course: GraduationCap,
  room: MessagesSquare,
  submission: PenLine,
} as const;

function accentOf({ category }: SearchResult): Accent {
  const known = categories.find((each) => each === category);
  return known === undefined ? "community" : sections[known].segment;
}

export interface SearchPaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Searches everything the member may read, and opens pages by name. */
export default function SearchPalette({ open, onOpenChange }: SearchPaletteProps) {
  const navigate = useNavigate();
  const { role } = useSession();
  const { current } = useLevel();
  const [query, setQuery] = useState("");
  const { idle, searching, failed, found, members, retry } = useSearch(open ? query : "");
  const pages = matchDestinations(destinationsOf(role, current), query);
  const count = found.length + members.length + pages.length;
  const groups: PaletteGroup[] = [
    ...groupResults(found).map(({ kind, found: ofKind }) => ({
      heading: resultHeadings[kind],
      entries: ofKind.map((each) => ({
        id: each.path,
        label: each.title,
        detail: each.excerpt,
        icon: icons[kind],
        accent: accentOf(each),
      })),
    })),
    ...(members.length === 0
      ? []
      : [
          {
            heading: searchStrings.members,
            entries: members.map(({ id, name, occupation }) => ({
              id: memberPath(id),
              label: name,
              detail: occupation,
              icon: UserRound,
              accent: "community" as const,
            })),
          },
        ]),
    ...(pages.length === 0
      ? []
      : [
          {
            heading: searchStrings.destinations,
            entries: pages.map(({ label, path, accent }) => ({
              id: path,
              label,
              icon: ArrowRight,
              accent,
            })),
          },
        ]),
  ];

  function setOpen(next: boolean) {
    // The query is cleared on close.
    if (!next) setQuery("");
    onOpenChange(next);
  }

  return (
    <CommandPalette
      open={open}
      onOpenChange={setOpen}
      label={searchStrings.title}
      placeholder={searchStrings.placeholder}
      query={query}
      onQueryChange={setQuery}
      groups={groups}
      onChoose={(path) => {
        setOpen(false);
        void navigate(path, { state: stateOfSource("search") });
      }}
      status={statusOf({ idle, searching, failed, count })}
    >
      {failed ? (
        <LoadFailed title={searchStrings.failedTitle} busy={false} onRetry={retry} />
      ) : !idle && !searching && count === 0 ? (
        <p className="text-sm text-muted">{searchStrings.nothingFound(query.trim())}</p>
      ) : null}
    </CommandPalette>
  );
}

function statusOf({
  idle,
  searching,
  failed,
  count,
}: {
  readonly idle: boolean;
  readonly searching: boolean;
  readonly failed: boolean;
  readonly count: number;
}): string {
  if (idle) return searchStrings.tooShort;
  if (searching) return searchStrings.searching;
  if (failed) return searchStrings.failed;
  return searchStrings.results(count);
}
