import {
  ArrowRight,
  BookOpen,
  GraduationCap,
  Lock,
  MessagesSquare,
  PenLine,
  UserRound,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { categories } from "@/domain/categories.ts";
import { sections } from "@/domain/library-paths.ts";
import { levelByNumber } from "@/domain/levels.ts";
import { memberPath, paths } from "@/domain/paths.ts";
import { stateOfSource } from "@/domain/reading-source.ts";
import { useLevel } from "@/features/levels/index.ts";
import { useSession, useUserId } from "@/features/session/index.ts";
import { searchKey } from "@/lib/fold-text.ts";
import type { ListedMember } from "@/features/people/index.ts";
import type { Accent } from "@/ui/accent.ts";
import { CommandPalette, type PaletteGroup } from "@/ui/command-palette.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import {
  destinationsOf,
  isNamed as isNamedPage,
  matchDestinations,
  type Destination,
} from "./destinations.ts";
import { memberMention } from "../model/member-mention.ts";
import { recentFinds, rememberFind, type Find } from "../model/recent-finds.ts";
import { Marked } from "./marked.tsx";
import {
  groupResults,
  type SearchResult,
  type SearchResultGroup,
} from "../model/search-results.ts";
import { useSearch } from "../queries.ts";
import { searchStrings, resultHeadings } from "../strings.ts";

const icons: Readonly<Record<Find["kind"], LucideIcon>> = {
  article: BookOpen,
  course: GraduationCap,
  room: MessagesSquare,
  submission: PenLine,
  member: UserRound,
  page: ArrowRight,
};

function accentOf({ category }: SearchResult): Accent {
  const known = categories.find((each) => each === category);
  return known === undefined ? "community" : sections[known].segment;
}

/** Before the address of a page opened before, which may stand in the list a second time. */
const recentPrefix = "recent ";

/** Before the place of something locked, which has no address. */
const lockedPrefix = "locked ";

export interface SearchPaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** What a member does, and before it why they were found, where neither name nor work says it. */
function detailOf(member: ListedMember, query: string): string {
  const mention = isNamed(member, query) ? undefined : memberMention(member, query);
  return [mention, member.occupation].filter(Boolean).join(" · ");
}

const membersGroup = (
  heading: string,
  members: readonly ListedMember[],
  query: string,
): PaletteGroup[] =>
  members.length === 0
    ? []
    : [
        {
          heading,
          entries: members.map((member) => ({
            id: memberPath(member.id),
            label: member.name,
            detail: detailOf(member, query),
            icon: icons.member,
            accent: "community" as const,
          })),
        },
      ];

const pagesGroup = (heading: string, pages: readonly Destination[]): PaletteGroup[] =>
  pages.length === 0
    ? []
    : [
        {
          heading,
          entries: pages.map(({ label, path, accent }) => ({
            id: path,
            label,
            icon: icons.page,
            accent,
          })),
        },
      ];

const resultGroup = ({ kind, found }: SearchResultGroup): PaletteGroup => ({
  heading: resultHeadings[kind],
  entries: found.map((each) => ({
    id: each.path,
    label: each.title,
    detail: each.excerpt,
    icon: icons[kind],
    accent: accentOf(each),
  })),
});

function hasWords(text: string, query: string): boolean {
  const key = searchKey(text);
  return searchKey(query)
    .split(" ")
    .every((word) => key.includes(word));
}

const begins = (title: string, query: string): boolean =>
  searchKey(title).startsWith(searchKey(query));

/** Whether one sees why the member was found. Who only wrote of the words somewhere stands below what is about them. */
const isNamed = ({ name, occupation }: ListedMember, query: string): boolean =>
  hasWords(`${name} ${occupation}`, query);

/** Searches everything the member may read, and opens pages by name. */
export default function SearchPalette({ open, onOpenChange }: SearchPaletteProps) {
  const navigate = useNavigate();
  const { role } = useSession();
  const { current } = useLevel();
  const [query, setQuery] = useState("");
  const { idle, searching, failed, found, members, locked, retry } = useSearch(open ? query : "");
  const pages = matchDestinations(destinationsOf(role, current), query);
  const namedPages = pages.filter((page) => isNamedPage(page, query));
  const count = found.length + members.length + locked.length + pages.length;
  const userId = useUserId();
  const recent = query === "" && open ? recentFinds(userId) : [];
  const named = members.filter((member) => isNamed(member, query));
  const results = groupResults(found);
  // A title that is being typed is meant before a member whose work has the word, but not before one of that name.
  const leading = named.some(({ name }) => hasWords(name, query))
    ? []
    : results.filter(({ found: [best] }) => best !== undefined && begins(best.title, query));
  const groups: PaletteGroup[] = [
    ...(recent.length === 0
      ? []
      : [
          {
            heading: searchStrings.recent,
            entries: recent.map(({ kind, path, label }) => ({
              id: `${recentPrefix}${path}`,
              label,
              icon: icons[kind],
            })),
          },
        ]),
    ...pagesGroup(searchStrings.destinations, namedPages),
    ...leading.map(resultGroup),
    ...membersGroup(searchStrings.members, named, query),
    ...results.filter((group) => !leading.includes(group)).map(resultGroup),
    ...membersGroup(
      searchStrings.otherMembers,
      members.filter((member) => !named.includes(member)),
      query,
    ),
    ...(locked.length === 0
      ? []
      : [
          {
            heading: searchStrings.locked,
            entries: locked.map(({ title, min_level: minLevel }, place) => ({
              id: `${lockedPrefix}${place}`,
              label: title,
              detail: searchStrings.opensAt(minLevel, levelByNumber(minLevel)?.name ?? ""),
              icon: Lock,
              accent: levelByNumber(minLevel)?.accent,
            })),
          },
        ]),
    ...pagesGroup(
      namedPages.length === 0 ? searchStrings.destinations : searchStrings.otherDestinations,
      pages.filter((page) => !namedPages.includes(page)),
    ),
  ];

  /** What stands at an address among the results. */
  function findOf(path: string): Find | undefined {
    const result = found.find((each) => each.path === path);
    if (result) return { kind: result.kind, path, label: result.title };
    const member = members.find(({ id }) => memberPath(id) === path);
    if (member) return { kind: "member", path, label: member.name };
    const page = pages.find((each) => each.path === path);
    return page && { kind: "page", path, label: page.label };
  }

  function go(id: string) {
    if (id.startsWith(lockedPrefix)) {
      // What is left to do until it opens.
      setOpen(false);
      void navigate(paths.progress);
      return;
    }
    const isRecent = id.startsWith(recentPrefix);
    const path = isRecent ? id.slice(recentPrefix.length) : id;
    const find = isRecent ? recent.find((each) => each.path === path) : findOf(path);
    if (find) rememberFind(userId, find);
    setOpen(false);
    void navigate(path, { state: stateOfSource("search") });
  }

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
      renderText={(text) => <Marked text={text} query={query} />}
      groups={groups}
      onChoose={go}
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
