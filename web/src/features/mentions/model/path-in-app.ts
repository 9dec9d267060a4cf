import { sections } from "@/domain/library-paths.ts";
import { isBelow } from "@/domain/reading-source.ts";
import { paths } from "@/domain/paths.ts";

/** What members read and talk about. Other addresses of this site, such as files, are no pages of the app. */
const places = [
  ...Object.values(sections).map(({ segment }) => `/${segment}`),
  paths.chats,
  paths.collaborate,
  paths.learning,
  paths.members,
];

/** The path of an address that the app shows itself; null for every other. */
export function pathInApp(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const { origin, pathname, search, hash } = new URL(href);
  const isOwn = origin === window.location.origin && places.some((each) => isBelow(pathname, each));
  return isOwn ? `${pathname}${search}${hash}` : null;
}
