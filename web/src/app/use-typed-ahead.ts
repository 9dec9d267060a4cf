import { useLayoutEffect } from "react";
import { useNavigation, type DataRouter } from "react-router";
import { askHeading, headFor } from "@/lib/typed-ahead.ts";

/** Says which page is on its way, so that what is typed meanwhile is kept for its message field. */
export function useTypedAhead(): void {
  const pathname = useNavigation().location?.pathname ?? null;
  useLayoutEffect(() => {
    headFor(pathname);
    return () => headFor(null);
  }, [pathname]);
}

/** The same from the press of a link on. */
export function useHeading(router: DataRouter): void {
  useLayoutEffect(
    () => askHeading(() => router.state.navigation.location?.pathname ?? null),
    [router],
  );
}
