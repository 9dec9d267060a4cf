import type { AttackKind } from "../kind.ts";

const perClient = 3;

/** Patterns that cost the database much to compile or to match, each a little different, so that nothing is remembered. */
function pattern(turn: number): string {
  const seed = `${turn}`.padStart(4, "x");
  return turn % 2 === 0
    ? `^((((a?){1,60}b?){1,60}c?){1,3})*${seed}$`
    : `(${"(x+x+)+".repeat(12)}y${seed})`;
}

/** Filters by regular expression, by strangers and by members. */
export const regularExpressions: AttackKind = {
  name: "regular expressions",
  tries: "expensive patterns as filters, half by strangers and half by members",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const isStranger = client.index % 2 === 0;
    const tables = ["plans", "chat_rooms", "profiles"];
    await client.pace(perClient, async (turn) => {
      const table = tables[turn % tables.length] ?? "plans";
      const column = table === "profiles" ? "first_name" : "name";
      const operator = turn % 3 === 0 ? "imatch" : "match";
      await client.request(
        "GET",
        `/rest/v1/${table}?select=${column}&${column}=${operator}.${encodeURIComponent(pattern(turn))}`,
        isStranger ? {} : { person: client.member },
      );
    });
  },
};
