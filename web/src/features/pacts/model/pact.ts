import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";

/** What the submission that closed a pact says of it: kept, not kept, partly. */
export const pactOutcomes = ["success", "failure", "progress_report"] as const;
export type PactOutcome = (typeof pactOutcomes)[number];

/** Only as many may be asked at a time; one who declined does not count. */
export const maxWitnesses = 3;

const person = { id: z.string(), name: z.string(), avatar_url: z.nullish(z.string()) };
const common = {
  title: z.string(),
  /** `YYYY-MM-DD` */
  due_on: z.string(),
  made_at: z.string(),
  outcome: z.nullable(z.enum(pactOutcomes)),
  outcome_id: z.nullable(z.string()),
  closed_at: z.nullable(z.string()),
};

/** What `my_pacts` answers. */
export const myPactsSchema = z.object({
  own: knownItems(
    z.object({
      ...common,
      id: z.string(),
      is_overdue: z.boolean(),
      witnesses: knownItems(
        z.object({ ...person, state: z.enum(["asked", "accepted", "declined", "lapsed"]) }),
      ),
    }),
  ),
  witnessing: knownItems(
    z.object({
      ...common,
      id: z.string(),
      is_overdue: z.boolean(),
      author: z.object(person),
      accepted: z.boolean(),
    }),
  ),
});

/** What `pacts_of_submissions` answers. */
export const shownPactsSchema = knownItems(
  z.object({
    ...common,
    submission_id: z.string(),
    pact_id: z.string(),
    witnesses: z.array(z.object(person)),
  }),
);

export type MyPacts = z.infer<typeof myPactsSchema>;
export type OwnPact = MyPacts["own"][number];
export type PactWitness = OwnPact["witnesses"][number];
export type WitnessedPact = MyPacts["witnessing"][number];
/** The pact of a submission, as every member sees it. */
export type ShownPact = z.infer<typeof shownPactsSchema>[number];

/** How many more members may be asked now. */
export function openPlaces(witnesses: readonly PactWitness[]): number {
  return maxWitnesses - witnesses.filter(({ state }) => state !== "declined").length;
}
