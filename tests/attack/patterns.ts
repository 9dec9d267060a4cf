/** A pattern that costs the database much to compile or to match, different for each turn, so that nothing is cached. */
export function expensivePattern(turn: number): string {
  const seed = `${turn}`.padStart(4, "x");
  return turn % 2 === 0
    ? `^((((a?){1,60}b?){1,60}c?){1,3})*${seed}$`
    : `(${"(x+x+)+".repeat(12)}y${seed})`;
}
