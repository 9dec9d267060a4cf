import { z } from "zod";
import {
  callRpc,
  type DatabaseClient,
  type ProcedureResult,
} from "../_shared/database/database-client.ts";
import { requireScheduler } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { brand } from "../_shared/product/brand.ts";
import { describeOutside } from "../_shared/product/describe-notification.ts";
import { notificationLine } from "../_shared/notifications/notification-line.ts";
import {
  pushSender,
  type PushOutcome,
  type PushSender,
} from "../_shared/notifications/push-sender.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "send-pushes", failureMessage: "The scheduled run failed." };
/** No batch is begun after this time; the host ends a run after 150 s. */
const maxRoundMs = 60_000;
/** Longer than sending a batch can take, so that no other sender gets it meanwhile. */
const lease = "5 minutes";
/** Messages of one batch, and how many of them are under way at a time. */
const batchSize = 50;
const concurrency = 10;

const pushLine = notificationLine.extend({ tag: z.string() });
type ClaimedPush = Omit<ProcedureResult<"claim_pushes">[number], "line"> & {
  line: z.infer<typeof pushLine>;
};

/** Sends the push messages of the outbox that are due. Called by the scheduler with a server key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const round: Record<PushOutcome, number> = { sent: 0, gone: 0, later: 0 };
    const sender = pushSender(deps);
    if (sender !== undefined) await sendDue(serviceClient(deps), sender, round);
    return jsonResponse(200, round);
  });
}

/** Sends until nothing is due or the time is up. */
async function sendDue(
  service: DatabaseClient,
  sender: PushSender,
  round: Record<PushOutcome, number>,
): Promise<void> {
  const end = Date.now() + maxRoundMs;
  while (Date.now() < end) {
    const claimed = await callRpc(service, "claim_pushes", { batch_size: batchSize, lease });
    const waiting = claimed.map((push) => ({ ...push, line: pushLine.parse(push.line) }));
    if (waiting.length === 0) return;
    const next = async (): Promise<void> => {
      for (let push = waiting.pop(); push !== undefined; push = waiting.pop()) {
        const outcome = await send(sender, push);
        round[outcome] += 1;
        await record(service, push, outcome);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, next));
  }
}

/** What the service worker of the app shows: a sentence and a path, never what a member wrote. */
async function send(sender: PushSender, push: ClaimedPush): Promise<PushOutcome> {
  try {
    const { sentence, path } = describeOutside(push.line);
    const { tag } = push.line;
    const payload = JSON.stringify({ title: brand.name, body: sentence, path, tag });
    return await sender.send(push, payload, await topicOf(tag));
  } catch (error) {
    // The address is a secret of the browser, so that only its service is named.
    const service = URL.canParse(push.endpoint) ? new URL(push.endpoint).host : "no address";
    const why = error instanceof Error ? error.name : "unknown";
    console.error(`${options.name}: ${push.notification_id} to ${service}: ${why}`);
    return "later";
  }
}

/** 32 characters that are the same for one tag and tell the push service nothing. */
async function topicOf(tag: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(tag));
  return Array.from(new Uint8Array(hash).slice(0, 16), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** A result that is lost lets the message come again when its lease ends; it then replaces the first on the screen. */
async function record(
  service: DatabaseClient,
  { notification_id, subscription_id, claim }: ClaimedPush,
  outcome: PushOutcome,
): Promise<void> {
  const { error } = await service.rpc("record_push_result", {
    notification_id,
    subscription_id,
    claim,
    outcome,
  });
  if (error)
    console.error(`${options.name}: ${notification_id}: record_push_result: ${error.code}`);
}
