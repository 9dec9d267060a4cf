import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useBackend } from "@/lib/backend.tsx";
import { findStorageProblem, openLocalStorage } from "@/lib/browser-storage.ts";
import type { SignInProvider } from "@/lib/config.ts";
import { Button } from "@/ui/button.tsx";
import { providerPage, returnPath } from "../api/provider-page.ts";
import { providerStrings } from "../strings.ts";
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

/**
 * What stands below the form of a sign-in page. Nothing where the browser keeps nothing while it is at the provider: the
 * sign-in could not be finished.
 */
export default function ProviderChoice() {
  const { config } = useBackend();
  const { search } = useLocation();
  const [isKept] = useState(() => findStorageProblem(openLocalStorage) === null);
  if (!isKept) return null;
  return (
    <div className="grid gap-5">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {providerStrings.or}
      </p>
      <ProviderButtons providers={config.signInProviders} path={returnPath(search)} />
    </div>
  );
}
