import { lazy, Suspense } from "react";
import { Outlet } from "react-router";
import { paths } from "@/domain/paths.ts";
import { decideAccess } from "./access/decide-access.ts";
import { useViewer } from "./access/use-viewer.ts";
import { LoadingPage } from "./loading-page.tsx";

// Nothing of it is loaded for buyers without a membership.
const ShellLayout = lazy(async () => ({
  default: (await import("./shell-layout.tsx")).ShellLayout,
}));

/** Pages that members have in their house, and others by themselves: what was bought, and gifts. */
export function HouseOrOutside() {
  const { kind } = decideAccess(paths.members, useViewer());
  if (kind === "wait") return <LoadingPage />;
  if (kind !== "allow") return <Outlet />;
  return (
    <Suspense fallback={<LoadingPage />}>
      <ShellLayout />
    </Suspense>
  );
}
