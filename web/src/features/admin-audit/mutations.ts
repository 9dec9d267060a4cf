import { useBackend } from "@/lib/backend.tsx";
import { saveFile } from "@/lib/save-file.ts";
import { exportAuditLog, type AuditExport, type AuditFilters } from "./api/audit-log.ts";

/** Saves the entries that match as a file. Rejects with the database's error. */
export function useAuditExport() {
  const { client } = useBackend();
  return async (filters: AuditFilters): Promise<AuditExport> => {
    const made = await exportAuditLog(client, filters);
    const name = `fourfold-audit-log-${new Date().toISOString().slice(0, 10)}.csv`;
    // The mark at the start tells spreadsheets that the text is UTF-8.
    saveFile(name, new Blob(["\uFEFF", made.csv], { type: "text/csv;charset=utf-8" }));
    return made;
  };
}
