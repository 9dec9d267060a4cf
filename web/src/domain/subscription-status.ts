/** A paying member is one whose subscription is active or on trial; nothing else counts. */
export function isLiveStatus(status: string): boolean {
  return status === "active" || status === "trialing";
}
