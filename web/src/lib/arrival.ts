/** What a link from an e-mail brought along in the address. */
export interface Arrival {
  /** Why the link did not work, in the backend's words; null when nothing went wrong. */
  readonly problem: string | null;
}

/** Reads the address once, before the client takes its part of it away. */
export function readArrival(location: Pick<Location, "hash" | "search">): Arrival {
  const fromHash = new URLSearchParams(location.hash.replace(/^#/, ""));
  const fromQuery = new URLSearchParams(location.search);
  const problem = fromHash.get("error_description") ?? fromQuery.get("error_description");
  return { problem };
}
