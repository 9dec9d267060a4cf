const nul = String.fromCodePoint(0);

/** The values of one statement, in the order of their placeholders. */
export class StatementValues {
  readonly list: (string | null)[] = [];

  /** Adds a value and returns its placeholder; Postgres infers the type from the context. */
  add(value: string | null): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/** A quoted SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll(nul, "").replaceAll('"', '""')}"`;
}

/** The schema-qualified name of a table, function or type. */
export function qualifiedName(object: { schema: string; name: string }): string {
  return `${quoteName(object.schema)}.${quoteName(object.name)}`;
}

/** A Postgres array literal. */
export function arrayLiteral(values: readonly string[]): string {
  const quoted = values.map(
    (value) => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`,
  );
  return `{${quoted.join(",")}}`;
}
