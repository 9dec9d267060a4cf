import type { AttackKind } from "../attack-kind.ts";
import { expensivePattern } from "../patterns.ts";

const perClient = 3;

/** Filters by regular expression, from anonymous clients and from members. */
export const regularExpressions: AttackKind = {
  name: "regular expressions",
  tries: "expensive patterns as filters, half from anonymous clients and half from members",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const isVisitor = client.index % 2 === 0;
    const tables = ["plans", "chat_rooms", "profiles"];
    await client.pace(perClient, async (turn) => {
      const table = tables[turn % tables.length] ?? "plans";
      const column = table === "profiles" ? "first_name" : "name";
      const operator = turn % 3 === 0 ? "imatch" : "match";
      await client.request(
        "GET",
        `/rest/v1/${table}?select=${column}&${column}=${operator}.${encodeURIComponent(expensivePattern(turn))}`,
        isVisitor ? {} : { person: client.member },
      );
    });
  },
};
