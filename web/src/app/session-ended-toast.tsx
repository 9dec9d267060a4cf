import { useEffect } from "react";
import { sessionStrings } from "@/features/session/index.ts";
import { onSessionEnded } from "@/lib/session-errors.ts";
import { toast } from "@/ui/toast.tsx";

/** Tells the member when the server has ended their session. */
export function SessionEndedToast() {
  useEffect(() => onSessionEnded(() => toast.info(sessionStrings.sessionEnded)), []);
  return null;
}
