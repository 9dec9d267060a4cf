import { roleNames } from "@/domain/roles.ts";
import { AuthorName } from "@/features/library/index.ts";
import { RoleBadge } from "@/ui/badge.tsx";
import type { CourseMentor } from "../model/course.ts";

/** Who teaches a course, with the badge of the role. */
export function Teacher({ mentor }: { readonly mentor: CourseMentor | null }) {
  return (
    <>
      <AuthorName
        id={mentor?.id ?? null}
        name={mentor?.name ?? null}
        className="font-medium text-ink"
      />
      {mentor === null ? null : <RoleBadge role={mentor.role} label={roleNames[mentor.role]} />}
    </>
  );
}
