import { z } from "zod";
import { handlePost, jsonResponse } from "../_shared/responses.ts";
import { requireScheduler } from "../_shared/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { serviceClient } from "../_shared/service-client.ts";

const options = { name: "queue-reminders", failureMessage: "The scheduled run failed." };

/** Queues the e-mails that the calendar causes, and deletes old ones and old notifications. Called by the scheduler with a server key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const service = serviceClient(deps);
    let queued = 0;
    for (const task of ["queue_card_reminders", "queue_guarantee_reminders"] as const) {
      const reminders = await service.rpc(task);
      if (reminders.error) throw new Error(task, { cause: reminders.error });
      queued += z.number().parse(reminders.data);
    }
    const purged = await service.rpc("purge_emails");
    if (purged.error) throw new Error("purge_emails", { cause: purged.error });
    const notifications = await service.rpc("purge_notifications");
    if (notifications.error) {
      throw new Error("purge_notifications", { cause: notifications.error });
    }
    return jsonResponse(200, { queued });
  });
}
