/** Limits of one query string. A query above them is refused with PGRST100. */
export const queryLimits = {
  parameters: 400,
  /** Columns and embeds of `select`, over all levels. Postgres allows 1664 columns in a row. */
  selectItems: 400,
  /** Embeds over all levels. */
  embeds: 20,
  /** Nesting depth of embeds. */
  embedDepth: 5,
  /** How often the same column or JSON value may be selected; aggregates are not counted. */
  sameField: 5,
  /** Different JSON paths into one column; each may return nearly the whole value. */
  pathsOfColumn: 50,
  jsonPathSteps: 30,
  /** Filters over all levels and logic groups. */
  filters: 500,
  /** Nesting depth of `and` and `or`. */
  filterDepth: 20,
  /** Values of one `in.(…)`. */
  listValues: 2000,
  orderTerms: 32,
  /** Names in `columns` or `on_conflict`. */
  names: 400,
} as const;
