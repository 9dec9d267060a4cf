const tokenPattern =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|;/g;

/**
 * Splits SQL into statements at semicolons outside strings, quoted names, dollar quotes and comments. Used only to record
 * a migration, not to run it.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  for (const match of sql.matchAll(tokenPattern)) {
    if (match[0] !== ";") continue;
    statements.push(sql.slice(start, match.index).trim());
    start = match.index + 1;
  }
  statements.push(sql.slice(start).trim());
  return statements.filter((statement) => statement !== "");
}
