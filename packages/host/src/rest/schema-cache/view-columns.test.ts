import { describe, expect, it } from "vitest";
import { columnOrigins, traceViews } from "./view-columns.ts";

const entry = (column: number, table: number, source: number) =>
  `{TARGETENTRY :expr {VAR :varno 1 :resno 9 :resorigtbl 99} :resno ${column} :resname odd\\ \\{name\\} :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${source} :resjunk false}`;
const rule = (...entries: string[]) =>
  `({QUERY :commandType 1 :rtable ({RTE :subquery {QUERY :targetList (${entry(7, 70, 7)})}}) :targetList (${entries.join(" ")}) :groupClause <>})`;

describe("columns of a view", () => {
  it("are the entries of the outermost target list that show a table's column", () => {
    expect(columnOrigins(rule(entry(1, 20, 3), entry(2, 0, 0), entry(3, 20, 4)))).toEqual([
      { column: 1, table: 20, source: 3 },
      { column: 3, table: 20, source: 4 },
    ]);
  });

  it("are followed through views, and loops end", () => {
    const traced = traceViews([
      { oid: 1, tree: rule(entry(1, 2, 5)) },
      { oid: 2, tree: rule(entry(5, 30, 8)) },
      { oid: 3, tree: rule(entry(1, 3, 1)) },
    ]);
    expect(traced.get(1)).toEqual([{ column: 1, table: 30, source: 8 }]);
    expect(traced.get(3)).toEqual([]);
  });
});
