import { Lock } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";

/**
 * What a member whose subscription has lapsed sees in place of the shelf, with the way to renew.
 */
export function ClosedShelf() {
  return (
    <EmptyState
      icon={<Lock />}
      title="The library is locked"
      action={
        <Button asChild>
          <Link to={paths.subscriptions}>See your membership</Link>
        </Button>
      }
    >
      The library is part of an active membership. Renew it to continue. Everything you've read and
      completed is kept.
    </EmptyState>
  );
}
