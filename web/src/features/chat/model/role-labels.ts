import type { Role } from "@/domain/roles.ts";

/** What the badge beside a name says. */
export const roleLabels: Readonly<Record<Role, string>> = {
  admin: "Admin",
  mentor: "Mentor",
  student: "Student",
};
