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
 * Reads everything under a key anew that is being looked at, for what happened until now. A first reading or a
 * further page that is still on its way may have left the server too early, so the new reading waits for it: the
 * library would leave it at the first reading, and throw away the page the member asked for.
 */
export function refetchQueries(queries: QueryClient, queryKey: QueryKey): void {
  for (const query of queries.getQueryCache().findAll({ queryKey, predicate: isIncomplete })) {
    onceRead(queries, query, () => {
      void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    });
  }
  void queries.invalidateQueries({ queryKey, predicate: (query) => !isIncomplete(query) });
}

/** A query that waits for its first answer, or for a further page. */
function isIncomplete({ state }: Query): boolean {
  if (state.fetchStatus !== "fetching") return false;
  return state.data === undefined || state.fetchMeta?.fetchMore !== undefined;
}

/** Does something when the reading under way is over, nothing when there is still no data. */
function onceRead(queries: QueryClient, query: Query, act: () => void): void {
  const stop = queries.getQueryCache().subscribe((event) => {
    if (event.query !== query) return;
    if (event.type === "removed") stop();
    if (event.type !== "updated" || query.state.fetchStatus !== "idle") return;
    stop();
    if (query.state.data !== undefined) act();
  });
}
