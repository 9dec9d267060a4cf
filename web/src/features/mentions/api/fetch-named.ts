import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { systemClock } from "@/lib/clock.ts";
import type { NamedMember } from "../model/split-mentions.ts";

const rows = z.array(
  z.object({
    subject_id: z.string(),
    name: z.string(),
    user_id: z.nullish(z.string()),
    is_you: z.boolean(),
  }),
);

/** What is asked about within this time goes in one request: a page of texts is shown at once. */
const gatherMs = 20;
/** The server answers about no more at a time. */
const maxSubjects = 100;

type Named = ReadonlyMap<string, readonly NamedMember[]>;
interface Batch {
  readonly subjects: Set<string>;
  readonly answer: Promise<Named>;
}
const open = new WeakMap<BackendClient, Batch>();

async function fetchNamed(client: BackendClient, subjects: readonly string[]): Promise<Named> {
  const { data, error } = await client.rpc("mentions_in", { subjects: [...subjects] });
  if (error) throw error;
  const named = new Map<string, NamedMember[]>();
  for (const { subject_id: subject, name, user_id: memberId, is_you: isYou } of rows.parse(data)) {
    const known = named.get(subject) ?? [];
    named.set(subject, [...known, { name, memberId: memberId ?? null, isYou }]);
  }
  return named;
}

function startBatch(client: BackendClient): Batch {
  const subjects = new Set<string>();
  const gathered = new Promise<void>((resolve) => void systemClock.after(gatherMs, resolve));
  const batch: Batch = {
    subjects,
    answer: gathered.then(async () => {
      if (open.get(client) === batch) open.delete(client);
      return await fetchNamed(client, [...subjects]);
    }),
  };
  open.set(client, batch);
  return batch;
}

/** Reads who is named in a message, submission or comment, together with what else is asked about now. Throws the database's error. */
export async function fetchNamedSoon(
  client: BackendClient,
  subject: string,
): Promise<readonly NamedMember[]> {
  const current = open.get(client);
  const batch = current && current.subjects.size < maxSubjects ? current : startBatch(client);
  batch.subjects.add(subject);
  return (await batch.answer).get(subject) ?? [];
}
