import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { withChoiceIn } from "@/domain/chosen-plan.ts";
import { paths } from "@/domain/paths.ts";
import { AuthRedirectAlert } from "../components/auth-redirect-alert.tsx";
import { AuthPage } from "../components/auth-page.tsx";
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
      title="Welcome"
      intro="New here, or coming back?"
      footer={
        <>
          <p>
            Infinite loading? It usually means that the backend is not configured or not reachable,
            or that an old session is stuck in this browser. Clearing it signs you out on this
            device and reloads the page.
          </p>
          <div>
            <Button variant="secondary" size="sm" loading={clearing} onClick={() => void clear()}>
              Clear Auth State
            </Button>
          </div>
        </>
      }
    >
      <AuthRedirectAlert />
      {config.backend === null ? <Alert tone="warn">{mockClientMessage}</Alert> : null}
      <div className="grid gap-3">
        <Button size="lg" wide onClick={() => void navigate(withChoiceIn(search, paths.signUp))}>
          SIGN UP
        </Button>
        <Button
          size="lg"
          wide
          variant="secondary"
          onClick={() => void navigate(withChoiceIn(search, paths.signIn))}
        >
          SIGN IN
        </Button>
        <Button variant="quiet" wide onClick={() => window.location.assign(paths.landing)}>
          BACK
        </Button>
      </div>
    </AuthPage>
  );
}
