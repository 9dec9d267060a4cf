import { MembershipNotice } from "@/features/levels/index.ts";
import { libraryStrings } from "../strings.ts";

/** Where a page of the library was open when the membership ended: it can be read on, and nothing that is done on it counts. */
export function ClosedMeanwhile() {
  return <MembershipNotice>{libraryStrings.closedMeanwhile}</MembershipNotice>;
}
