import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import type { Role } from "@/domain/roles.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock, type Clock } from "@/lib/clock.ts";
import { onFirstFactorDue } from "@/lib/session-errors.ts";
import { authSourceOf } from "./api/auth-source.ts";
import { insertProfile } from "./api/insert-profile.ts";
import { fetchProfile } from "./api/fetch-profile.ts";
import {
  createSessionStore,
  type SessionState,
  type SessionStore,
  type SignOutCheck,
} from "./model/session-store.ts";

const SessionContext = createContext<SessionStore | null>(null);

/** Watches the session for everything inside. Must stand inside `BackendProvider`. */
export function SessionProvider({
  clock = systemClock,
  onUserLeft,
  children,
}: {
  readonly clock?: Clock;
  /** Called when the signed-in user changes or signs out, before anything is drawn for the next one. */
  readonly onUserLeft?: () => void;
  readonly children: ReactNode;
}) {
  const { client } = useBackend();
  const [store] = useState(() =>
    createSessionStore(
      authSourceOf(client),
      {
        select: (userId) => fetchProfile(client, userId),
        create: (userId) => insertProfile(client, userId),
      },
      clock,
      onUserLeft,
    ),
  );
  useEffect(() => store.start(), [store]);
  useEffect(
    () =>
      onFirstFactorDue(() => {
        // Who becomes an administrator while the app is open; the profile's own answer is under way or known.
        const { profileSettled, firstFactor } = store.getState();
        if (profileSettled && firstFactor === null) void store.refreshProfile();
      }),
    [store],
  );
  return <SessionContext value={store}>{children}</SessionContext>;
}

export interface SessionView
  extends SessionState, Pick<SessionStore, "refreshProfile" | "signOut"> {
  readonly isAuthenticated: boolean;
  /** From the profile; false while there is none. */
  readonly onboardingComplete: boolean;
  /** From the profile; `student` while there is none. */
  readonly role: Role;
}

function useSessionStore(): SessionStore {
  const store = use(SessionContext);
  if (store === null) throw new Error("The session was used outside SessionProvider");
  return store;
}

/** Who is signed in, and how to sign out. Throws outside the provider. */
export function useSession(): SessionView {
  const store = useSessionStore();
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState);
  return useMemo(
    () => ({
      ...state,
      isAuthenticated: state.user !== null,
      onboardingComplete: state.profile?.onboardingComplete ?? false,
      role: state.profile?.role ?? "student",
      refreshProfile: store.refreshProfile,
      signOut: store.signOut,
    }),
    [state, store],
  );
}

/** The id of the signed-in member; empty while no member is signed in. */
export function useUserId(): string {
  return useSession().user?.id ?? "";
}

/** While the component is shown, signing out waits for the check and ends when it says false. */
export function useSignOutCheck(check: SignOutCheck): void {
  const store = useSessionStore();
  const ask = useEffectEvent(check);
  useEffect(() => store.beforeSignOut(() => ask()), [store]);
}
