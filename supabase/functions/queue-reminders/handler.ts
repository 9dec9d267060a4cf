import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireScheduler } from "../_shared/http/caller.ts";
import { callRpc } from "../_shared/database/database-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "queue-reminders", failureMessage: "The scheduled run failed." };

/** Queues the e-mails and reminders that the calendar causes, and deletes old e-mails and notifications. Called by the scheduler with a server key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const service = serviceClient(deps);
    let queued = 0;
    for (const task of [
      "queue_card_reminders",
      "queue_trial_reminders",
      "queue_renewal_reminders",
      "queue_pause_reminders",
      "queue_gift_reminders",
      "queue_guarantee_reminders",
      "queue_digests",
    ] as const) {
      queued += (await callRpc(service, task, {})) ?? 0;
    }
    for (const task of ["remind_of_pacts", "purge_emails", "purge_notifications"] as const) {
      await callRpc(service, task, {});
    }
    return jsonResponse(200, { queued });
  });
}
