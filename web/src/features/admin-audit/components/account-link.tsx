import { Link } from "react-router";
import { adminMemberPath } from "@/domain/paths.ts";
import { auditStrings } from "../strings.ts";

/** An account in the log: its name, leading to its panel, or that it is gone. */
export function AccountLink({
  id,
  name,
  missing,
}: {
  readonly id: string | null;
  readonly name: string | null;
  /** What stands there when no account was recorded. */
  readonly missing: string;
}) {
  if (id === null) return <span className="text-muted">{missing}</span>;
  if (name === null) return <span className="text-muted">{auditStrings.deletedAccount(id)}</span>;
  return (
    <Link to={adminMemberPath(id)} className="underline underline-offset-2 wrap-anywhere">
      {name}
    </Link>
  );
}
