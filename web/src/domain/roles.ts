/** The three kinds of member. The database decides which one a member is. */
const roles = ["student", "mentor", "admin"] as const;
export type Role = (typeof roles)[number];

/** What the badge beside a name says. */
export const roleNames: Readonly<Record<Role, string>> = {
  student: "Student",
  mentor: "Mentor",
  admin: "Admin",
};

/** Reads a role from the database; anything unknown is the least of the three. */
export function toRole(value: unknown): Role {
  return roles.find((role) => role === value) ?? "student";
}
