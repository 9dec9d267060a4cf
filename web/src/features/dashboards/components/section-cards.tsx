import { ArrowRight, Lock } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import type { Role } from "@/domain/roles.ts";
import { LockedSection, useLevel } from "@/features/levels/index.ts";
import { classNames } from "@/ui/class-names.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { LockedDoor } from "@/ui/locked-door.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { sectionCards, type SectionCardData } from "./sections-of.ts";
import { sectionStrings } from "../strings.ts";

/** The four sections, and the services that are still to come. */
export function SectionCards({ role }: { readonly role: Role }) {
  const { current, status } = useLevel();
  return (
    <section aria-labelledby="sections" className="grid gap-4">
      <h2 id="sections" className="display text-xl">
        {sectionStrings.title}
      </h2>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {sectionCards(role, current).map((card) => (
          <li key={card.level.number} className="grid">
            <SectionCard
              card={card}
              waiting={role !== "admin" && status === "loading" && card.level.number > 1}
            />
          </li>
        ))}
      </ul>
      <Services />
    </section>
  );
}

function SectionCard({
  card: { level, links, lockedReason, locked, opensWithLevel },
  waiting,
}: {
  readonly card: SectionCardData;
  /** True while the level is not known. */
  readonly waiting: boolean;
}) {
  const open = lockedReason === null && !waiting;
  return (
    <article
      data-accent={level.accent}
      data-state={waiting ? "waiting" : open ? "open" : "locked"}
      aria-labelledby={`section-${level.number}`}
      className={classNames(
        "grid grid-rows-[auto_1fr_auto] gap-2 rounded-card border border-line border-t-3 p-5",
        open ? "border-t-accent bg-raised" : "bg-sunken",
      )}
    >
      <h3
        id={`section-${level.number}`}
        className={classNames("flex items-center gap-2 font-medium", !open && "text-muted")}
      >
        {waiting || !locked ? null : <Lock aria-hidden className="size-4" />}
        {level.name}
      </h3>
      <p className="text-sm text-muted">{level.summary}</p>
      {waiting ? (
        <span className="mt-2 grid h-22 content-center gap-6">
          <Skeleton className="w-24" />
          <Skeleton className="w-20" />
        </span>
      ) : open ? (
        <ul className="-mx-3 mt-2">
          {links.map((link) => (
            <li key={link.to}>
              <Link
                to={link.to}
                aria-label={`${level.name}: ${link.label}`}
                className="flex min-h-11 items-center justify-between rounded-control px-3 text-sm font-medium hover:bg-hover"
              >
                {link.label}
                <ArrowRight aria-hidden className="size-4 text-accent" />
              </Link>
            </li>
          ))}
        </ul>
      ) : opensWithLevel ? (
        <LockedDoor
          label={level.name}
          locked={{
            opensAt: sectionStrings.level(level.number),
            explanation: <LockedSection level={level.number} />,
          }}
          className="-mx-3 mt-2 flex min-h-11 items-center justify-between rounded-control px-3 text-left text-sm font-medium text-muted hover:bg-hover hover:text-ink"
        >
          {lockedReason}
          <ArrowRight aria-hidden className="size-4" />
        </LockedDoor>
      ) : (
        <p className="mt-2 flex min-h-11 items-center text-sm font-medium text-muted">
          {lockedReason}
        </p>
      )}
    </article>
  );
}

function Services() {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <h3 className="text-sm font-medium text-muted">{sectionStrings.services}</h3>
      <ul className="flex flex-wrap gap-1">
        <li>
          <Button asChild variant="quiet" size="sm">
            <Link to={paths.members}>{sectionStrings.directory}</Link>
          </Button>
        </li>
        <li>
          <Button asChild variant="quiet" size="sm">
            <Link to={paths.collaborate}>{sectionStrings.collaborate}</Link>
          </Button>
        </li>
        <li>
          <Button variant="quiet" size="sm" disabled>
            {sectionStrings.joinElites}
            <Badge>{sectionStrings.comingSoon}</Badge>
          </Button>
        </li>
      </ul>
    </div>
  );
}
