import { levels, type Level } from "@/domain/levels.ts";
import { categoryOfLevel, libraryPath, shelfNames, shelves } from "@/domain/library-paths.ts";
import { paths } from "@/domain/paths.ts";
import type { Role } from "@/domain/roles.ts";
import { sectionStrings } from "../strings.ts";

export interface SectionLink {
  readonly label: string;
  readonly to: string;
}

/** A section of the product on the dashboard: its links, or why it is locked. */
export interface SectionCardData {
  readonly level: Level;
  readonly links: readonly SectionLink[];
  /** Why it has no links here, such as `Opens at Level 2`; null when it has. */
  readonly lockedReason: string | null;
  /** The level is not reached; otherwise the section is open, and entered from the menu. */
  readonly locked: boolean;
  /** Locked by the level alone, so that it says what is left. */
  readonly opensWithLevel: boolean;
}

function linksOf(level: Level, role: Role): readonly SectionLink[] {
  const category = categoryOfLevel(level.number);
  if (category !== undefined) {
    return shelves.map((shelf) => ({
      label: shelfNames[shelf],
      to: libraryPath(category, shelf),
    }));
  }
  return [
    { label: sectionStrings.chats, to: paths.chats },
    { label: sectionStrings.learning, to: role === "student" ? paths.submissions : paths.learning },
  ];
}

/** Not part of the mentor's and the administrator's dashboards. */
const studentsOnly: readonly Level["accent"][] = ["business", "wealth"];

/** The four sections for a role and the level reached. */
export function sectionCards(role: Role, reached: number): readonly SectionCardData[] {
  return levels.map((level) => {
    const locked = role !== "admin" && level.number > Math.max(1, reached);
    const absent = role !== "student" && studentsOnly.includes(level.accent);
    const lockedReason = locked
      ? sectionStrings.opensAt(level.number)
      : absent
        ? sectionStrings.inTheMenu
        : null;
    return {
      level,
      links: linksOf(level, role),
      lockedReason,
      locked,
      opensWithLevel: locked && !absent,
    };
  });
}
