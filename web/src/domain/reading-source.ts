import { sections } from "./library-paths.ts";
import { dashboardOf, paths } from "./paths.ts";

/** From where members come to an article or a course. The database keeps these words and no others. */
export const readingSources = ["category", "search", "room", "today", "profile", "other"] as const;
export type ReadingSource = (typeof readingSources)[number];

/** What the link that led here says of itself; an overlay such as search has no address of its own. */
export function stateOfSource(source: ReadingSource): { readonly source: ReadingSource } {
  return { source };
}

/** Whether a link of the search led here. */
export function isFromSearch(state: unknown): boolean {
  return sourceOfState(state) === "search";
}

function sourceOfState(state: unknown): ReadingSource | undefined {
  const source = typeof state === "object" && state !== null && "source" in state && state.source;
  return readingSources.find((each) => each === source);
}

/** Whether an address is this one or below it. */
export function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`);
}

/** The source that a link named, else that of the page before; null stands for a page outside the app. */
export function toReadingSource(state: unknown, pageBefore: string | null): ReadingSource {
  const named = sourceOfState(state);
  if (named !== undefined) return named;
  if (pageBefore === null) return "other";
  if (Object.values(sections).some(({ segment }) => isBelow(pageBefore, `/${segment}`))) {
    return "category";
  }
  const rooms = [paths.chats, paths.learning, paths.messages, paths.collaborate];
  if (rooms.some((room) => isBelow(pageBefore, room))) return "room";
  if (isBelow(pageBefore, paths.members)) return "profile";
  const homes = [paths.dashboard, dashboardOf.student, dashboardOf.mentor];
  return homes.some((home) => pageBefore === home) ? "today" : "other";
}
