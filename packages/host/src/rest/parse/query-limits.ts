/** How much one query string may ask for. What is beyond is refused with PGRST100. */
export const queryLimits = {
  parameters: 400,
  /** Columns and embeds of `select`, over all levels. Postgres itself stops at 1664 columns a row. */
  selectItems: 400,
  /** Embeds over all levels. */
  embeds: 20,
  /** Embeds inside one another. */
  embedDepth: 5,
  /** The same column or JSON value beside itself; aggregates are not counted. */
  sameField: 5,
  /** Different JSON values out of one column: each of them may hold nearly all of it. */
  pathsOfColumn: 50,
  jsonPathSteps: 30,
  /** Filters over all levels and trees. */
  filters: 500,
  /** `and` and `or` inside one another. */
  filterDepth: 20,
  /** Values of one `in.(…)`. */
  listValues: 2000,
  orderTerms: 32,
  /** Names in `columns` or `on_conflict`. */
  names: 400,
} as const;
