import { useLayoutEffect } from "react";
import { useNavigation } from "react-router";
import { headFor } from "@/lib/typed-ahead.ts";

/** Says which page is on its way, so that what is typed meanwhile is kept for its message field. */
export function useTypedAhead(): void {
  const pathname = useNavigation().location?.pathname ?? null;
  useLayoutEffect(() => {
    headFor(pathname);
    return () => headFor(null);
  }, [pathname]);
}
