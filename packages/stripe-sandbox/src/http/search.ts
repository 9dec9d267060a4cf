import { invalidRequest } from "../api-errors.ts";

/** One clause of a query: `field:"value"`, `-field:"value"`, `field~"part"`, `field>=100` or `metadata["key"]:"value"`. */
const clausePattern =
  /^(-?)(?:metadata\["((?:[^"\\]|\\.){1,40})"\]|([a-z_.]{1,60}))(:|~|>=|<=|>|<)(?:"((?:[^"\\]|\\.){0,500})"|(null|true|false|-?\d{1,15}))$/;
/** Clauses and the words between them. Quoted texts stay whole. */
const tokenPattern = /(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g;
const maxClauses = 10;

type Row = Readonly<Record<string, unknown>>;
type Clause = (row: Row) => boolean;

const unquoted = (text: string) => text.replaceAll(/\\(.)/g, "$1");

function valueOf(row: Row, field: string): unknown {
  if (field === "subscription" || field === "customer") return plain(row[field]);
  return field
    .split(".")
    .reduce<unknown>(
      (holder, name) =>
        typeof holder === "object" && holder !== null
          ? (Reflect.get(holder, name) as unknown)
          : undefined,
      row,
    );
}

const plain = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "id" in value ? value.id : value;

function isMatch(found: unknown, operator: string, wanted: string): boolean {
  if (operator === ":") {
    if (wanted === "null") return found === null || found === undefined;
    if (typeof found === "string") return found.toLowerCase() === wanted.toLowerCase();
    return String(found) === wanted;
  }
  if (operator === "~") {
    return typeof found === "string" && found.toLowerCase().includes(wanted.toLowerCase());
  }
  if (typeof found !== "number") return false;
  const bound = Number(wanted);
  if (operator === ">") return found > bound;
  if (operator === "<") return found < bound;
  return operator === ">=" ? found >= bound : found <= bound;
}

function clauseOf(token: string, fields: readonly string[]): Clause {
  const [, minus, key, field = "", operator = ":", text, word] = clausePattern.exec(token) ?? [];
  if (operator === "" || (key === undefined && field === "")) throw unreadable(token);
  if (key === undefined && !fields.includes(field)) {
    throw invalidRequest(
      `Field \`${field}\` is an unsupported search field for this resource.`,
      "query",
    );
  }
  const wanted = text === undefined ? (word ?? "") : unquoted(text);
  if (operator === "~" && wanted.length < 3) {
    throw invalidRequest("A substring match needs at least three characters.", "query");
  }
  const name = key === undefined ? field : "metadata";
  return (row) => {
    const found = key === undefined ? valueOf(row, name) : metadataOf(row, unquoted(key));
    return isMatch(found, operator, wanted) !== (minus === "-");
  };
}

function metadataOf(row: Row, key: string): unknown {
  const { metadata } = row;
  return typeof metadata === "object" && metadata !== null && Object.hasOwn(metadata, key)
    ? (Reflect.get(metadata, key) as unknown)
    : undefined;
}

const unreadable = (token: string) =>
  invalidRequest(
    `We were unable to parse your search query near \`${token.slice(0, 100)}\`.`,
    "query",
  );

/**
 * What a query of Stripe's search language asks of a row.
 * @param fields those that this kind of object is searched by, besides metadata.
 * @throws {StripeApiError} 400 for a query that cannot be read, mixes AND and OR, or asks for another field.
 */
export function parseSearchQuery(query: string, fields: readonly string[]): Clause {
  const clauses: Clause[] = [];
  const joints = new Set<string>();
  let isAfterClause = false;
  for (const token of query.match(tokenPattern) ?? []) {
    if (/^(?:and|or)$/i.test(token)) {
      if (!isAfterClause) throw unreadable(token);
      joints.add(token.toLowerCase());
      isAfterClause = false;
      continue;
    }
    // Two clauses with nothing between them both have to hold.
    if (isAfterClause) joints.add("and");
    clauses.push(clauseOf(token, fields));
    isAfterClause = true;
  }
  if (!isAfterClause || clauses.length > maxClauses) throw unreadable(query);
  if (joints.size > 1) throw invalidRequest("A query has either AND or OR, not both.", "query");
  return joints.has("or")
    ? (row) => clauses.some((clause) => clause(row))
    : (row) => clauses.every((clause) => clause(row));
}
