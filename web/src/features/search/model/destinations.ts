import { brand } from "@/domain/brand.ts";
import { libraryPath, sections, shelfNames, shelves } from "@/domain/library-paths.ts";
import { dashboardOf, paths } from "@/domain/paths.ts";
import { categories } from "@/domain/categories.ts";
import type { Role } from "@/domain/roles.ts";
import type { Accent } from "@/ui/accent.ts";
import { destinationNames } from "../strings.ts";

/** A page that can be opened by name. */
export interface Destination {
  readonly label: string;
  readonly path: string;
  readonly accent?: Accent;
  /** Other words members search for. */
  readonly keywords?: string;
}

/** Every page a member of this role and level can open. */
export function destinationsOf(role: Role, level: number): Destination[] {
  const library = categories.flatMap((category) => {
    const section = sections[category];
    if (role !== "admin" && level < section.level) return [];
    return shelves.map((shelf) => ({
      label: `${section.name}: ${shelfNames[shelf]}`,
      path: libraryPath(category, shelf),
      accent: section.segment,
      keywords: shelf,
    }));
  });
  const ownPages = [
    {
      label: destinationNames.membership,
      path: paths.subscriptions,
      keywords: "subscription plan payment cancel",
    },
    {
      label: destinationNames.affiliates,
      path: paths.affiliates,
      keywords: "link referral commission earn",
    },
    {
      label: destinationNames.identity,
      path: paths.verification,
      keywords: "verification document passport",
    },
  ];
  return [
    { label: destinationNames.home, path: dashboardOf[role], keywords: "dashboard" },
    {
      label: destinationNames.chats,
      path: paths.chats,
      accent: "community",
      keywords: "rooms messages",
    },
    {
      label: destinationNames.learning,
      path: paths.submissions,
      accent: "community",
      keywords: "submissions feed",
    },
    {
      label: destinationNames.newSubmission,
      path: paths.newSubmission,
      accent: "community",
      keywords: "create post",
    },
    {
      label: destinationNames.pacts,
      path: paths.pacts,
      accent: "community",
      keywords: "promise witness due",
    },
    {
      label: destinationNames.directory,
      path: paths.members,
      accent: "community",
      keywords: "members people profiles",
    },
    ...library,
    { label: destinationNames.progress, path: paths.progress, keywords: "levels statistics rank" },
    ...(role === "admin" ? [] : ownPages),
    {
      label: destinationNames.account,
      path: paths.account,
      keywords: "email e-mail password delete export",
    },
  ];
}

/** The destinations whose label or keywords contain every word of the query. */
export function matchDestinations(
  destinations: readonly Destination[],
  query: string,
): Destination[] {
  const words = query.toLocaleLowerCase(brand.locale).split(/\s+/).filter(Boolean);
  return destinations.filter(({ label, keywords = "" }) => {
    const text = `${label} ${keywords}`.toLocaleLowerCase(brand.locale);
    return words.every((word) => text.includes(word));
  });
}
