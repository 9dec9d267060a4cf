import { lazy, Suspense, useState } from "react";
import { Outlet } from "react-router";
import { livesInHouse } from "./access/decide-access.ts";
import { useViewer } from "./access/use-viewer.ts";
import { LoadingPage } from "./loading-page.tsx";

// Nothing of it is loaded for buyers without a membership.
const ShellLayout = lazy(async () => ({
  default: (await import("./shell-layout.tsx")).ShellLayout,
}));

/**
 * Pages that members have in their house, and others by themselves: what was bought, and gifts. Decided once for each visit:
 * what is being filled in or read stays when a gift makes its reader a member.
 */
export function HouseOrOutside() {
  const now = livesInHouse(useViewer());
  const [decided, setDecided] = useState(now);
  if (decided === null && now !== null) setDecided(now);
  const isInHouse = decided ?? now;
  if (isInHouse === null) return <LoadingPage />;
  if (!isInHouse) return <Outlet />;
  return (
    <Suspense fallback={<LoadingPage />}>
      <ShellLayout />
    </Suspense>
  );
}
