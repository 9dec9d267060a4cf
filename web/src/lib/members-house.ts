import { useOutletContext } from "react-router";

/** What the layout with rail and top bar hands to the page in it. */
export const membersHouse = { isHouse: true } as const;

/** True inside the layout with rail and top bar: a page that also stands outside it then brings no frame of its own. */
export function useIsInHouse(): boolean {
  return useOutletContext<typeof membersHouse | null | undefined>()?.isHouse === true;
}
