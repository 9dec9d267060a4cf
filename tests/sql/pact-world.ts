import { randomUUID } from "node:crypto";
import { namedMember, newMark } from "./people-world.ts";
import type { Row, World } from "./world.ts";

/** The due day is given in days from today. */
export const makePactSql =
  "select public.make_pact($1, $2, $3, (now() at time zone 'utc')::date + $4::integer, $5)";
export const askWitnessesSql = "select public.ask_witnesses($1, $2)";
export const answerWitnessSql = "select public.answer_witness($1, $2)";
export const closePactSql = "select private.close_pact($1, $2)";

interface PactValues {
  readonly days?: number;
  readonly witnesses?: readonly string[];
  readonly id?: string;
}

/** Makes a pact that is due in a week, and returns its id. */
export async function makeTestPact(
  world: World,
  member: string,
  { days = 7, witnesses = [], id = randomUUID() }: PactValues = {},
) {
  await world.run(member, makePactSql, [
    id,
    "Call ten customers",
    "Ten names in a list.",
    days,
    witnesses,
  ]);
  return id;
}

/** Shares a submission that may close a pact, and returns its id. */
export async function shareOutcome(
  world: World,
  member: string,
  type = "success",
): Promise<string> {
  const row = {
    user_id: member,
    submission_type: type,
    title: "How it went",
    content: "I called.",
  };
  return String((await world.insert(member, "learning_submissions", row))["id"]);
}

/** Lets days pass for one pact: everything about it happened that much earlier. */
export async function letPactDaysPass(world: World, pact: string, days: number) {
  await world.run(
    "owner",
    "update private.pacts set due_on = due_on - $2::integer where submission_id = $1",
    [pact, days],
  );
  await world.run(
    "owner",
    "update public.learning_submissions set created_at = created_at - $2 * interval '1 day' where id = $1",
    [pact, days],
  );
}

/** What `my_pacts` answers. */
export async function pactsOf(world: World, member: string) {
  const { pacts } = await world.one(member, "select public.my_pacts() as pacts");
  return pacts as { readonly own: readonly Row[]; readonly witnessing: readonly Row[] };
}

/** A member whom the directory lists under a name of their own. */
export const newWitness = async (world: World, first = "Tom") =>
  await namedMember(world, first, newMark(), "Baker");

/** The kinds of the lines in a member's bell, newest first, without those of levels. */
export async function bellKinds(world: World, member: string): Promise<string[]> {
  const { bell: answer } = await world.one(member, "select public.my_notifications() as bell");
  return (answer as { items: Row[] }).items
    .map(({ kind }) => String(kind))
    .filter((kind) => kind !== "level_up");
}

/** A member whose subscription has ended. */
export async function lapsedMember(world: World): Promise<string> {
  const id = await world.member();
  await world.setSubscriptionStatus(id, "canceled");
  return id;
}

/** What the hourly run does. */
export const remindOfPacts = async (world: World) =>
  await world.run("service_role", "select public.remind_of_pacts()");
