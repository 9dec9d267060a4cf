import type { BackendClient } from "@/lib/backend-client.ts";

/**
 * Says how a data export ended, so that administrators see failures: no archive (`rows`), files left out (`files`), or null for a
 * whole one. Never throws: the member's own message matters more.
 */
export async function noteExport(
  client: BackendClient,
  failedStep: "rows" | "files" | null,
): Promise<void> {
  const { error } = await client.rpc(
    "note_my_export",
    failedStep === null ? {} : { failed_step: failedStep },
  );
  if (error) console.error("The end of the export was not noted", error);
}
