import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Alters what is kept under a key and below it, for what is known before the server was asked for it: a live
 * change, or an action of the member. What is being read meanwhile may have left the server earlier and would undo
 * it, so the alteration is made once more on what arrives; made twice it must come to the same.
 */
export function patchQueries<T>(
  queries: QueryClient,
  queryKey: QueryKey,
  alter: (data: T, key: QueryKey) => T,
): void {
  for (const query of queries.getQueryCache().findAll({ queryKey })) {
    const alterNow = () => {
      queries.setQueryData<T>(query.queryKey, (data) => data && alter(data, query.queryKey));
    };
    if (query.state.fetchStatus === "fetching") onceRead(queries, query, alterNow);
    alterNow();
  }
}

/**
 * Reads everything under a key anew that is being looked at, for what happened until now. A first reading that is
 * still on its way may have left the server too early; the library would leave it at that.
 */
export function refetchQueries(queries: QueryClient, queryKey: QueryKey): void {
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" })) {
    if (query.state.data !== undefined) continue;
    onceRead(queries, query, () => void queries.invalidateQueries({ queryKey: query.queryKey }));
  }
  void queries.invalidateQueries({ queryKey });
}

/** Does something when the reading under way has succeeded, nothing when it came to nothing. */
function onceRead(queries: QueryClient, query: Query, act: () => void): void {
  const stop = queries.getQueryCache().subscribe((event) => {
    if (event.query !== query) return;
    if (event.type === "removed") stop();
    if (event.type !== "updated" || query.state.fetchStatus !== "idle") return;
    stop();
    if (event.action.type === "success") act();
  });
}
