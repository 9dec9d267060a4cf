import { Lock } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { shelfStrings } from "../strings.ts";

/**
 * What a member whose subscription has lapsed sees in place of the shelf, with the way to renew.
 */
export function ClosedShelf() {
  return (
    <EmptyState
      icon={<Lock />}
      title={shelfStrings.lockedTitle}
      action={
        <Button asChild>
          <Link to={paths.subscriptions}>{shelfStrings.membership}</Link>
        </Button>
      }
    >
      {shelfStrings.locked}
    </EmptyState>
  );
}
