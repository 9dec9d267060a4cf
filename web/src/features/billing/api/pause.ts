import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";

/** A pause that is planned or runs. Epoch milliseconds. */
export interface Pause {
  readonly beginsAt: number;
  /** Null while nobody has said when. */
  readonly endsAt: number | null;
  readonly hasBegun: boolean;
}

/** What the member may do about a pause. */
export interface PauseOffer {
  /** When one would begin, epoch milliseconds. */
  readonly beginsAt: number | null;
  /** How long it may last, and until when then; empty while it can't be paused. */
  readonly choices: readonly { readonly months: number; readonly endsAt: number }[];
  readonly pause: Pause | null;
}

const offer = z.object({
  begins_at: z.nullable(z.string()),
  choices: z.array(z.object({ months: z.number(), ends_at: z.string() })),
  pause: z.nullable(
    z.object({ begins_at: z.string(), ends_at: z.nullable(z.string()), has_begun: z.boolean() }),
  ),
});

const time = (text: string | null) => (text === null ? null : Date.parse(text));

/** Reads whether the caller may pause, and the pause there is. Throws the database's error. */
export async function fetchPauseOffer(client: BackendClient): Promise<PauseOffer> {
  const { data, error } = await client.rpc("my_pause_offer");
  if (error) throw error;
  const { begins_at: beginsAt, choices, pause } = offer.parse(data);
  return {
    beginsAt: time(beginsAt),
    choices: choices.map((each) => ({ months: each.months, endsAt: Date.parse(each.ends_at) })),
    pause: pause && {
      beginsAt: Date.parse(pause.begins_at),
      endsAt: time(pause.ends_at),
      hasBegun: pause.has_begun,
    },
  };
}

/** Pauses the membership. @returns null when it worked, else the server's text, empty when it gave none. */
export async function requestPause(client: BackendClient, months: number): Promise<string | null> {
  const { status, body } = await callFunction(client, "stripe-pause-membership", { months });
  return status === 200 ? null : textOf(body, "error");
}

/** Takes the membership up again, or calls a pause off that has not begun. @returns as `requestPause`. */
export async function requestResume(client: BackendClient): Promise<string | null> {
  const { status, body } = await callFunction(client, "stripe-resume-membership", {});
  return status === 200 ? null : textOf(body, "error");
}
