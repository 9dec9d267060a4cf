import { Link, useLocation } from "react-router";
import { dashboardOf } from "@/domain/paths.ts";
import { levels } from "@/domain/levels.ts";
import { useSession } from "@/features/session/public.ts";
import { Button } from "@/ui/button.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { RisingLine } from "@/ui/rising-line.tsx";

/** What each part will hold, by the beginning of its address. */
const parts: readonly (readonly [prefix: string, holds: string])[] = [
  ["/chats", "Rooms to talk with the other members every day, five of them open from level 1."],
  ["/learning", "The feed of pacts, progress reports, failures and successes that members share."],
  ["/knowledge", "Articles and courses on thinking, learning and habits, from level 2."],
  ["/business", "Articles and courses on offers, customers and selling, from level 3."],
  ["/wealth", "Articles and courses on keeping and growing what you earn, from level 4."],
  ["/progress", "How far you have come on every level, with the evidence one click away."],
];

/** An honest page for a part of the product that is not open yet. */
export default function OpeningSoonPage() {
  const { pathname } = useLocation();
  const { role } = useSession();
  const holds = parts.find(([prefix]) => pathname.startsWith(prefix))?.[1];
  return (
    <div className="grid max-w-2xl gap-8">
      <PageHeader className="pb-0" title="This part of the house opens soon" intro={holds} />
      <RisingLine steps={levels} reached={0} className="max-w-lg" />
      <div>
        <Button asChild>
          <Link to={dashboardOf[role]}>Back to your dashboard</Link>
        </Button>
      </div>
    </div>
  );
}
