const actionNames: Readonly<Record<string, string>> = {
  "account.appointed_admin": "Appointed as administrator",
  "account.made_admin": "Made administrator",
  "account.note_added": "Added a note",
  "account.picture_removed": "Removed a profile picture",
  "account.removed_admin": "Removed as administrator",
  "account.renewal_stopped": "Stopped the renewal",
  "account.signed_out": "Signed out everywhere",
  "account.suspended": "Suspended",
  "account.suspension_lifted": "Suspension lifted",
  "audit.exported": "Exported the audit log",
  "billing.flagged": "Flagged for billing",
  "comment.deleted": "Deleted a comment",
  "message.kept": "Kept a reported message",
  "message.removed": "Removed a reported message",
  "profile.deleted": "Account deleted",
  "recovery_code.used": "Used a recovery code",
  "recovery_codes.generated": "Made recovery codes",
  "verification.approved": "Approved a document",
  "verification.document_opened": "Opened a document",
  "verification.rejected": "Rejected a document",
};

/** What an action is called: `account.suspended` → `Suspended`; one without a name is spelt out. */
export function actionName(action: string): string {
  const words = action.replaceAll(/[._]/g, " ");
  return actionNames[action] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
