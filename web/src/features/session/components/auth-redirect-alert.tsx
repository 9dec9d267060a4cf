import { useEffect, useRef } from "react";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { toast } from "@/ui/toast.tsx";
import { authRedirectNotice } from "./auth-redirect-notice.ts";
import { useSession } from "../session-provider.tsx";

/** Says on a sign-in page what the link from an e-mail has done. */
export function AuthRedirectAlert() {
  const { authRedirect } = useBackend();
  const notice = authRedirectNotice(authRedirect, null);
  return notice === null ? null : <Alert tone={notice.tone}>{notice.message}</Alert>;
}

/** Says the same, once, to a member whose session goes on as it was. */
export function AuthRedirectToast() {
  const { authRedirect } = useBackend();
  const { user } = useSession();
  const shown = useRef(false);
  const email = user?.email;
  useEffect(() => {
    // The page for a new password says it itself.
    if (
      email === undefined ||
      shown.current ||
      authRedirect.link?.pathname === paths.updatePassword
    )
      return;
    shown.current = true;
    const notice = authRedirectNotice(authRedirect, email);
    if (notice !== null) toast.info(notice.message);
  }, [authRedirect, email]);
  return null;
}
