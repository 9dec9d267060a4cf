/** `basehost/backup`: an install in one checked archive, and an install made from one. */
export { createBackup } from "./backup/create-backup.ts";
export { restoreBackup } from "./backup/restore-backup.ts";
