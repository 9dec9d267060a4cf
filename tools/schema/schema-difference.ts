import { formatSqlStatements } from "@supabase/pg-delta/sql-format";
import { resolveProfile, supabaseProfile } from "@supabase/pg-delta/integrations";
import { plan, type Plan } from "@supabase/pg-delta/plan";
import pg from "pg";

/** What leads from one database to another. */
export interface SchemaDifference {
  /** Statements in the order in which they can be run; empty when the databases have the same schema. */
  readonly statements: readonly string[];
  /** Those of them that lose rows or objects. */
  readonly destructive: readonly string[];
  /** Statements that lead back; empty as well when the databases have the same schema. */
  readonly back: readonly string[];
}

const isDestructive = ({ verb, dataLoss }: Plan["actions"][number]) =>
  verb === "drop" || dataLoss === "destructive";

/**
 * Compares two databases as Supabase's own tools do. What the platform brings along is left out; settings of roles
 * (`alter role … set pgrst.…`) and rows are not seen.
 * @param from connection string of the database as it is
 * @param to connection string of the database as it is to be
 */
export async function schemaDifference(from: string, to: string): Promise<SchemaDifference> {
  const source = new pg.Pool({ connectionString: from, max: 2 });
  const desired = new pg.Pool({ connectionString: to, max: 2 });
  try {
    const profile = await resolveProfile(source, supabaseProfile);
    const [is, shall] = [await profile.extract(source), await profile.extract(desired)];
    const { actions } = plan(is.factBase, shall.factBase, profile.planOptions);
    const format = (some: readonly Plan["actions"][number][]) =>
      formatSqlStatements(
        some.map(({ sql }) => sql),
        { keywordCase: "lower", maxWidth: 120 },
      );
    return {
      statements: format(actions),
      destructive: format(actions.filter(isDestructive)),
      back: format(plan(shall.factBase, is.factBase, profile.planOptions).actions),
    };
  } finally {
    await Promise.all([source.end(), desired.end()]);
  }
}
