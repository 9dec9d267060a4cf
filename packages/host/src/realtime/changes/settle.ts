import type { Queryable } from "../../postgres/database.ts";
import type { Audience } from "./audience.ts";
import type { SettledChange } from "./deliver.ts";
import { positionsIn, Tables, type TableFacts } from "./describe-table.ts";
import type { FilterVerdicts } from "./filter-verdicts.ts";
import type { Relation, RowChange } from "./pgoutput.ts";
import { renderChanges } from "./render.ts";
import type { Sight, SubscriberIdentity } from "./sight-sql.ts";
import type { SightQuestion, Visibility } from "./visibility.ts";

/** Changes to one table, and whoever listens to it. */
interface Batch {
  relation: Relation;
  changes: readonly RowChange[];
  audience: Audience;
}

/** True when row-level security decides at all: there is some, and there are keys to ask about. */
function isDecided(facts: TableFacts): boolean {
  return facts.isGuarded && facts.key.length > 0;
}

/** Who passes event and filter of each change, before anybody's rights are looked at. */
async function findInterested(
  verdicts: FilterVerdicts,
  { relation, changes, audience }: Batch,
  facts: TableFacts,
): Promise<Audience[]> {
  const tuples = changes.map((change) => change.record ?? change.old);
  const passed = await verdicts.passed(relation, facts, tuples, audience.filters);
  return changes.map(({ type }, at) => audience.part(type, passed[at] ?? new Set()));
}

/** Those who have to be asked about, each once; of a lone audience they stay the same array. */
function viewersOf(
  audiences: ReadonlySet<Audience>,
  roles: ReadonlySet<string>,
): readonly SubscriberIdentity[] {
  const [first, ...others] = audiences;
  if (first && others.length === 0 && first.roles.every((role) => roles.has(role))) {
    return first.viewers;
  }
  const viewers = [...audiences].flatMap((audience) => audience.viewers);
  return [...new Set(viewers)].filter(({ role }) => roles.has(role));
}

/** What row-level security is asked about a batch, and the place of each change among the rows asked about. */
function questionOf(
  { relation, changes, audience }: Batch,
  facts: TableFacts,
  interested: readonly Audience[],
): { question: SightQuestion; placeOf: ReadonlyMap<RowChange, number> } {
  const positions = positionsIn(relation);
  const { key } = facts;
  const audiences = new Set<Audience>();
  const placeOf = new Map<RowChange, number>();
  const rows: (string | null)[][] = [];
  for (const [at, change] of changes.entries()) {
    const wanting = interested[at];
    if (change.type === "DELETE" || !wanting || wanting.isEmpty || !isDecided(facts)) continue;
    placeOf.set(change, rows.length);
    rows.push(key.map((column) => change.record?.[positions.get(column.name) ?? -1] ?? null));
    audiences.add(wanting);
  }
  const question = {
    oid: relation.oid,
    roles: audience.roles,
    keys: { schema: relation.schema, table: relation.table, key, rows },
    viewers: viewersOf(audiences, facts.keyReaders),
    readers: facts.readers,
    transactions: transactionsOf(changes),
  };
  return { question, placeOf };
}

/** What the table is, who is interested in each change, and who sees which rows. */
interface Look {
  facts: TableFacts;
  interested: readonly Audience[];
  /** The place of each change that was asked about among the rows seen. */
  placeOf: ReadonlyMap<RowChange, number>;
  sight: Sight;
}

function transactionsOf(changes: readonly RowChange[]): number[] {
  return [...new Set(changes.map((change) => change.transaction))];
}

/** Finds out who is to be told of changes, and what. */
export class Settler {
  readonly #db: Queryable;
  readonly #tables: Tables;
  readonly #verdicts: FilterVerdicts;
  readonly #visibility: Visibility;

  constructor(db: Queryable, verdicts: FilterVerdicts, visibility: Visibility) {
    this.#db = db;
    this.#tables = new Tables(db);
    this.#verdicts = verdicts;
    this.#visibility = visibility;
  }

  /**
   * Settles changes to one table. Rights are those of this moment: a member demoted before it sees nothing of
   * a change made earlier, as on hosted projects.
   */
  async settle(
    relation: Relation,
    changes: readonly RowChange[],
    audience: Audience,
  ): Promise<SettledChange[]> {
    const batch = { relation, changes, audience };
    const look = (await this.#lookAtOnce(batch)) ?? (await this.#look(batch));
    if (look === undefined) return [];
    const { facts, interested, placeOf, sight } = look;
    const rendered = await renderChanges(this.#db, relation, facts, changes);
    const isChecked = isDecided(facts);
    return changes.flatMap((change, at) => {
      const [json, wanting] = [rendered[at], interested[at]];
      if (json === undefined || wanting === undefined || wanting.isEmpty) return [];
      const place = placeOf.get(change);
      const isUnchecked = change.type === "DELETE" || !isChecked;
      const maySee = (viewer: SubscriberIdentity) =>
        isUnchecked ||
        !facts.keyReaders.has(viewer.role) ||
        (place !== undefined && sight(viewer, place));
      return [{ change, facts, rendered: json, audience: wanting, maySee }];
    });
  }

  /**
   * Asks what the table is, then about the rows.
   * @returns undefined when the table is gone
   */
  async #look(batch: Batch): Promise<Look | undefined> {
    const { relation, changes, audience } = batch;
    const { roles } = audience;
    const facts = await this.#tables.describe(relation.oid, roles, transactionsOf(changes));
    if (facts === undefined) return undefined;
    const interested = await findInterested(this.#verdicts, batch, facts);
    const { question, placeOf } = questionOf(batch, facts, interested);
    const sight = await this.#visibility.see(question);
    return { facts, interested, placeOf, sight };
  }

  /**
   * Asks both in one question, as if the table were what it was for the batch before; mostly it is.
   * @returns undefined when it is not, or readers cannot answer for everybody, or Postgres has to be asked about filters
   */
  async #lookAtOnce(batch: Batch): Promise<Look | undefined> {
    const { oid } = batch.relation;
    const known = this.#tables.last(oid);
    if (!known || !batch.audience.filters.every(({ isQuick }) => isQuick)) return undefined;
    const interested = await findInterested(this.#verdicts, batch, known);
    const { question, placeOf } = questionOf(batch, known, interested);
    const answer = await this.#visibility.seeAtOnce(question);
    if (answer === undefined) return undefined;
    if (this.#tables.note(oid, batch.audience.roles, answer.facts) !== known) return undefined;
    return { facts: known, interested, placeOf, sight: answer.sight };
  }
}
