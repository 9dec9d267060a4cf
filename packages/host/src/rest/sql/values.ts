const nul = String.fromCodePoint(0);

/** The values of one statement, in the order of their placeholders. */
export class Values {
  readonly list: (string | null)[] = [];

  /** Adds a value and gives its placeholder; Postgres infers the type from where it stands. */
  add(value: string | null): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/** A name as SQL writes it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll(nul, "").replaceAll('"', '""')}"`;
}

/** A table, function or type with its schema. */
export function qualified(object: { schema: string; name: string }): string {
  return `${quoteName(object.schema)}.${quoteName(object.name)}`;
}

/** An array as Postgres reads it from text. */
export function arrayLiteral(values: readonly string[]): string {
  const quoted = values.map(
    (value) => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`,
  );
  return `{${quoted.join(",")}}`;
}
