const newRule =
  /^alter table (?<table>"[^"]+"\."[^"]+")\s+add constraint (?<name>"[^"]+")\s+(?:check|foreign key)\b/i;
const newTable = /^create table (?<table>"[^"]+"\."[^"]+")/i;

/** A migration, and what has to wait for a second one. */
export interface MigrationFiles {
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/**
 * Adds checks and foreign keys of tables that were there before without looking at their rows, and looks at them in a second
 * migration: one that does both would hold the table for as long as that takes.
 * @param statements as Supabase's tool writes them, with quoted names
 */
export function checkedLater(statements: readonly string[]): MigrationFiles {
  const created = new Set(statements.map((sql) => newTable.exec(sql)?.groups?.["table"]));
  const second: string[] = [];
  const first = statements.map((sql) => {
    const { table, name } = newRule.exec(sql)?.groups ?? {};
    if (table === undefined || name === undefined || created.has(table)) return sql;
    if (/\bnot valid$/i.test(sql)) return sql;
    second.push(`alter table ${table}\n  validate constraint ${name}`);
    return `${sql} not valid`;
  });
  return { first, second };
}
