import { KeyRound } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useBackend } from "@/lib/backend.tsx";
import { findStorageProblem, openLocalStorage } from "@/lib/browser-storage.ts";
import type { SignInProvider } from "@/lib/config.ts";
import { knowsPasskeys } from "@/lib/passkey-support.ts";
import { refusalText } from "@/lib/refusal.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { signInWithPasskey } from "../api/sign-in-with-passkey.ts";
import { providerPage, returnPath } from "../api/provider-page.ts";
import { providerStrings, sessionStrings } from "../strings.ts";
import { AppleMark, GoogleMark } from "./provider-marks.tsx";

const marks = { google: GoogleMark, apple: AppleMark };

/** A button for each of the providers; pressing one leaves the site for the provider's. */
export function ProviderButtons({
  providers,
  path,
}: {
  readonly providers: readonly SignInProvider[];
  /** Where the browser comes back to. */
  readonly path: string;
}) {
  const { client } = useBackend();
  const [leaving, setLeaving] = useState<SignInProvider | null>(null);

  useEffect(() => {
    // A page that the browser kept is shown again as it was left.
    const comeBack = () => setLeaving(null);
    window.addEventListener("pageshow", comeBack);
    return () => window.removeEventListener("pageshow", comeBack);
  }, []);

  async function leave(provider: SignInProvider) {
    setLeaving(provider);
    window.location.assign(await providerPage(client, provider, path));
  }

  if (providers.length === 0) return null;
  return (
    <div className="grid gap-3">
      {providers.map((provider) => {
        const Mark = marks[provider];
        return (
          <Button
            key={provider}
            type="button"
            size="lg"
            wide
            variant="secondary"
            loading={leaving === provider}
            disabled={leaving !== null}
            onClick={() => void leave(provider)}
          >
            <Mark />
            {providerStrings.continueWith(providerStrings.names[provider])}
          </Button>
        );
      })}
    </div>
  );
}

/** Asks the browser for a passkey of this site. */
function PasskeyButton({ onSignedIn }: { readonly onSignedIn?: (() => void) | undefined }) {
  const { client } = useBackend();
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function ask() {
    setIsAsking(true);
    setProblem(null);
    const refusal = await signInWithPasskey(client);
    setIsAsking(false);
    if (refusal === null) onSignedIn?.();
    else setProblem(refusalText(refusal, sessionStrings));
  }

  return (
    <div className="grid gap-3">
      {problem === null ? null : <Alert tone="warn">{problem}</Alert>}
      <Button size="lg" wide variant="secondary" loading={isAsking} onClick={() => void ask()}>
        <KeyRound aria-hidden className="size-4.5" />
        {providerStrings.passkey}
      </Button>
    </div>
  );
}

/**
 * What stands below the form of a sign-in page. No provider where the browser keeps nothing while it is there: the sign-in
 * could not be finished.
 */
export default function ProviderChoice({
  withPasskey,
  onSignedIn,
}: {
  readonly withPasskey: boolean;
  /** Called when a passkey has signed in. */
  readonly onSignedIn?: (() => void) | undefined;
}) {
  const { config } = useBackend();
  const { search } = useLocation();
  const [isKept] = useState(() => findStorageProblem(openLocalStorage) === null);
  const providers = isKept ? config.signInProviders : [];
  const offersPasskey = withPasskey && knowsPasskeys();
  if (providers.length === 0 && !offersPasskey) return null;
  return (
    <div className="grid gap-5">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {providerStrings.or}
      </p>
      <div className="grid gap-3">
        <ProviderButtons providers={providers} path={returnPath(search)} />
        {offersPasskey ? <PasskeyButton onSignedIn={onSignedIn} /> : null}
      </div>
    </div>
  );
}
