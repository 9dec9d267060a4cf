import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { withChoiceIn } from "@/domain/chosen-plan.ts";
import { paths } from "@/domain/paths.ts";
import { AuthRedirectAlert } from "../components/auth-redirect-alert.tsx";
import { ClosedPageAlert } from "../components/closed-page-alert.tsx";
import { AuthPage } from "../components/auth-page.tsx";
import { OptionalProviderChoice } from "../components/provider-choice.tsx";
import { StorageAlert } from "../components/storage-alert.tsx";
import { authChoiceStrings, authPageStrings } from "../strings.ts";
import { useClearAuthState } from "../use-clear-auth-state.ts";
import { useBackend } from "@/lib/backend.tsx";
import { mockClientMessage } from "@/lib/backend-client.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";

/** `/auth`: new here, or back again? */
export function AuthChoicePage() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const { config } = useBackend();
  const clearAuthState = useClearAuthState();
  const [clearing, setClearing] = useState(false);

  async function clear() {
    setClearing(true);
    await clearAuthState();
    window.location.reload();
  }

  return (
    <AuthPage
      title={authChoiceStrings.title}
      intro={authChoiceStrings.intro}
      footer={
        <details>
          <summary className="inline-flex min-h-11 items-center rounded-sm underline underline-offset-4">
            {authChoiceStrings.trouble}
          </summary>
          <div className="grid justify-items-start gap-3 pt-2">
            <p>{authChoiceStrings.stuck}</p>
            <Button variant="secondary" size="sm" loading={clearing} onClick={() => void clear()}>
              {authChoiceStrings.clear}
            </Button>
          </div>
        </details>
      }
    >
      <ClosedPageAlert />
      <AuthRedirectAlert />
      <StorageAlert />
      {config.backend === null ? <Alert tone="warn">{mockClientMessage}</Alert> : null}
      <div className="grid gap-3">
        <Button size="lg" wide onClick={() => void navigate(withChoiceIn(search, paths.signUp))}>
          {authChoiceStrings.signUp}
        </Button>
        <Button
          size="lg"
          wide
          variant="secondary"
          onClick={() => void navigate(withChoiceIn(search, paths.signIn))}
        >
          {authChoiceStrings.signIn}
        </Button>
        <Button variant="quiet" wide onClick={() => window.location.assign(paths.landing)}>
          {authPageStrings.back}
        </Button>
      </div>
      <OptionalProviderChoice withPasskey />
    </AuthPage>
  );
}
