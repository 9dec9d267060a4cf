import { lazy, Suspense, type ComponentProps } from "react";
import { useBackend } from "@/lib/backend.tsx";

const ProviderChoice = lazy(() => import("./provider-buttons.tsx"));
const ProviderButtons = lazy(async () => ({
  default: (await import("./provider-buttons.tsx")).ProviderButtons,
}));

/** The buttons alone, for other features. Their code is loaded with them. */
export function LazyProviderButtons(props: ComponentProps<typeof ProviderButtons>) {
  return (
    <Suspense>
      <ProviderButtons {...props} />
    </Suspense>
  );
}

/** Signing in with an account elsewhere or a passkey, where that is on. Its code is not loaded where it is off. */
export function OptionalProviderChoice({
  withPasskey = false,
  onSignedIn,
}: {
  /** True on pages for those who have an account. */
  readonly withPasskey?: boolean;
  /** Called when a passkey has signed in. */
  readonly onSignedIn?: () => void;
}) {
  const { config } = useBackend();
  const offersPasskey = withPasskey && config.passkeys;
  if (config.signInProviders.length === 0 && !offersPasskey) return null;
  return (
    <Suspense>
      <ProviderChoice withPasskey={offersPasskey} onSignedIn={onSignedIn} />
    </Suspense>
  );
}
