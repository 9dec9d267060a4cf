import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database, Json } from "./database.types.ts";

/** Postgres takes null for every argument, which the generated types do not say. */
type Argument<A> = null | (A extends (infer Item)[] ? readonly Item[] : A);
type Arguments<A> = string extends keyof A ? A : { [Name in keyof A]: Argument<A[Name]> };
/** A procedure that returns one value may return null instead. */
type Result<R> = R extends undefined | readonly unknown[] ? R : R | null;

type Procedure<P> = P extends { Args: infer A; Returns: infer R }
  ? Omit<P, "Args" | "Returns"> & { Args: Arguments<A>; Returns: Result<R> }
  : never;

type GeneratedProcedures = Database["public"]["Functions"];
type Procedures = { [Name in keyof GeneratedProcedures]: Procedure<GeneratedProcedures[Name]> };

/** The generated types, with null where Postgres allows it. */
type CallableDatabase = Omit<Database, "public"> & {
  public: Omit<Database["public"], "Functions"> & { Functions: Procedures };
};

/** The official client, which knows the tables and procedures of the database. */
export type DatabaseClient = SupabaseClient<CallableDatabase>;

export type ProcedureName = keyof Procedures;
export type ProcedureArgs<Name extends ProcedureName> = Procedures[Name]["Args"];
export type ProcedureResult<Name extends ProcedureName> = Procedures[Name]["Returns"];

/** Details that the database keeps as they are. */
export type JsonObject = Readonly<Record<string, Json | undefined>>;

/**
 * Calls a procedure of the database.
 * @throws {Error} with the procedure's name, and the database's error as its cause.
 */
export async function callRpc<Name extends ProcedureName>(
  client: DatabaseClient,
  name: Name,
  args: ProcedureArgs<Name>,
): Promise<ProcedureResult<Name>> {
  const { data, error } = await client.rpc(name, args);
  if (error) throw new Error(name, { cause: error });
  return data;
}
