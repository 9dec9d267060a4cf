import { useEffect, useRef } from "react";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { toast } from "@/ui/toast.tsx";
import { arrivalNotice } from "../model/arrival-notice.ts";
import { useSession } from "../session-provider.tsx";

/** Says on a sign-in page what the link from an e-mail has done. */
export function ArrivalAlert() {
  const { arrival } = useBackend();
  const notice = arrivalNotice(arrival, null);
  return notice === null ? null : <Alert tone={notice.tone}>{notice.message}</Alert>;
}

/** Says the same, once, to a member whose session goes on as it was. */
export function ArrivalToast() {
  const { arrival } = useBackend();
  const { user } = useSession();
  const told = useRef(false);
  const email = user?.email;
  useEffect(() => {
    /* The page for a new password says it itself. */
    if (email === undefined || told.current || arrival.link?.pathname === paths.updatePassword)
      return;
    told.current = true;
    const notice = arrivalNotice(arrival, email);
    if (notice !== null) toast.info(notice.message);
  }, [arrival, email]);
  return null;
}
