export { AuditChanges } from "./components/audit-changes.tsx";
export { toAuditEntries, type AuditEntry } from "./model/audit-entry.ts";
export { actionName } from "./strings.ts";
