// Finds the table columns behind a view's columns, so that views take part in relationships.

/** The table or view, and the column there, that a view's column shows. */
export interface ColumnOrigin {
  /** Number of the column in the view. */
  column: number;
  table: number;
  source: number;
}

const tokenPattern = /[{}()]|(?:\\.|[^\s{}()\\])+/g;

/**
 * Reads from a stored rule (`pg_rewrite.ev_action`) which columns a view passes on unchanged.
 * Only entries of the outermost target list count; those of subqueries are nested deeper.
 */
export function columnOrigins(tree: string): ColumnOrigin[] {
  const origins: ColumnOrigin[] = [];
  let depth = 0;
  let inTargets = false;
  let field = "";
  let entry: Record<string, number> = {};
  for (const [token] of tree.matchAll(tokenPattern)) {
    if (token === "{") {
      depth += 1;
      field = "";
      if (depth === 2) entry = {};
    } else if (token === "}") {
      if (depth === 2 && inTargets) {
        const { resno = 0, resorigtbl = 0, resorigcol = 0 } = entry;
        if (resorigtbl > 0 && resorigcol > 0) {
          origins.push({ column: resno, table: resorigtbl, source: resorigcol });
        }
      }
      depth -= 1;
      field = "";
    } else if (token.startsWith(":")) {
      field = token.slice(1);
      if (depth === 1) inTargets = field === "targetList";
    } else if (depth === 2 && inTargets && /^res(no|origtbl|origcol)$/.test(field)) {
      entry[field] = Number(token);
    }
  }
  return origins;
}

/** Columns of views by the table column they show, through any number of views. */
export function traceViews(
  views: readonly { oid: number; tree: string }[],
): Map<number, ColumnOrigin[]> {
  const direct = new Map(views.map(({ oid, tree }) => [oid, columnOrigins(tree)]));
  const traced = new Map<number, ColumnOrigin[]>();
  const trace = (view: number, above: readonly number[]): ColumnOrigin[] => {
    const known = traced.get(view);
    if (known !== undefined) return known;
    // A view cannot reference itself, but a hand-made rule may form a loop.
    if (above.includes(view)) return [];
    const origins = (direct.get(view) ?? []).flatMap((origin) => {
      if (!direct.has(origin.table)) return [origin];
      return trace(origin.table, [...above, view])
        .filter((inner) => inner.column === origin.source)
        .map((inner) => ({ ...inner, column: origin.column }));
    });
    traced.set(view, origins);
    return origins;
  };
  for (const view of direct.keys()) trace(view, []);
  return traced;
}
