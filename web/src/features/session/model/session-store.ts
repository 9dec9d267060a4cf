import type { ChosenPlan } from "@/domain/chosen-plan.ts";
import type { Clock } from "@/lib/clock.ts";
import { toAppError, type AppError } from "@/lib/errors.ts";
import {
  loadProfile,
  type FirstFactor,
  type LoadedProfile,
  type ProfileSource,
} from "./load-profile.ts";
import type { Profile } from "./profile.ts";

export interface SessionUser {
  readonly id: string;
  readonly email: string;
  /** Chosen on the front page before signing up, on whatever device. */
  readonly chosenPlan?: ChosenPlan | null;
  /** When the address was confirmed, or the account made; epoch milliseconds. */
  readonly joinedAt?: number;
  /** When a password, link or code was last accepted; epoch milliseconds. */
  readonly signedInAt?: number;
  /** True in a session that a recovery link began: it may set a password without the current one. */
  readonly isRecovering?: boolean;
  /** True while the account has a one-time password that has to be replaced first. */
  readonly mustChoosePassword?: boolean;
  /** False for an account that only an account elsewhere opens. */
  readonly hasPassword?: boolean;
  /** Accounts elsewhere that open it, such as `google`. */
  readonly providers?: readonly string[];
  /** The password was accepted, the code of the second factor is still to come. */
  readonly secondFactorRequired?: boolean;
}

export interface SessionState {
  readonly user: SessionUser | null;
  /** Who is about to sign in: until the second factor was shown, the app treats them as signed out. */
  readonly pending: SessionUser | null;
  readonly profile: Profile | null;
  /** True from the start until the session check ends, while a new user's profile is fetched, and while signing out. */
  readonly loading: boolean;
  /** True once the fetch of this user's profile ended, whatever it brought. */
  readonly profileSettled: boolean;
  /** True when it ended without an answer, so "no profile" means "not known". */
  readonly profileFailed: boolean;
  /** Set while an administrator has no second factor: the server answers nothing until there is one. */
  readonly firstFactor: FirstFactor | null;
}

/** What the store needs of the authentication library. */
export interface AuthSource {
  readonly currentUser: () => Promise<SessionUser | null>;
  /** Calls back on every change of the session; returns how to stop. */
  readonly onChange: (listener: (user: SessionUser | null) => void) => () => void;
  readonly signOut: (scope: SignOutScope) => Promise<unknown>;
  /** Tells the browser's other tabs that the member chose to sign out. */
  readonly broadcastSignOut: () => void;
}

/** `local` ends this session, `global` those on all devices. */
export type SignOutScope = "local" | "global";

/** Saves or asks before the member signs out; false when they chose to stay. */
export type SignOutCheck = () => Promise<boolean>;

export interface SessionStore {
  readonly getState: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Begins watching the session; returns how to stop. */
  readonly start: () => () => void;
  /** Fetches the present user's profile again; shares a fetch that is under way. */
  readonly refreshProfile: () => Promise<Profile | null>;
  /** Has every sign-out wait for a check, but not a session that ends elsewhere; returns how to take it back. */
  readonly beforeSignOut: (check: SignOutCheck) => () => void;
  /** Returns the error when it failed; the session then stays, as it does when a check says so. */
  readonly signOut: (scope?: SignOutScope) => Promise<AppError | null>;
}

const signedOut = {
  user: null,
  pending: null,
  profile: null,
  profileSettled: false,
  profileFailed: false,
  firstFactor: null,
} as const;

/**
 * Holds who is signed in. Knows nothing of React or of the network.
 * @param onUserLeft called when the signed-in user changes or signs out, before any listener hears of it, so
 * that nothing of theirs can be shown afterwards.
 */
export function createSessionStore(
  auth: AuthSource,
  profiles: ProfileSource,
  clock: Clock,
  onUserLeft: () => void = () => {},
): SessionStore {
  let state: SessionState = { ...signedOut, loading: true };
  const listeners = new Set<() => void>();
  const checks = new Set<SignOutCheck>();
  const underWay = new Map<string, Promise<LoadedProfile>>();

  function set(next: SessionState): void {
    const hasLeft = state.user !== null && state.user.id !== next.user?.id;
    state = next;
    if (hasLeft) onUserLeft();
    for (const listener of listeners) listener();
  }

  function fetchProfile(userId: string): Promise<LoadedProfile> {
    const shared = underWay.get(userId);
    if (shared) return shared;
    const fetching = loadProfile(profiles, clock, userId).finally(() => underWay.delete(userId));
    underWay.set(userId, fetching);
    return fetching;
  }

  async function settleProfile(userId: string): Promise<Profile | null> {
    const { profile, failed, firstFactor = null } = await fetchProfile(userId);
    if (state.user?.id !== userId) return null;
    // A refresh that got no answer keeps what was known before.
    const kept = failed && state.profile !== null ? state.profile : profile;
    set({
      ...state,
      profile: kept,
      profileSettled: true,
      profileFailed: failed && kept === null,
      firstFactor,
      loading: false,
    });
    return kept;
  }

  function applyUser(user: SessionUser | null): void {
    if (user === null) {
      set({ ...signedOut, loading: false });
    } else if (user.secondFactorRequired === true) {
      set({ ...signedOut, pending: user, loading: false });
    } else if (user.id === state.user?.id) {
      const was = state.user;
      const same =
        user.email === was.email &&
        user.isRecovering === was.isRecovering &&
        user.hasPassword === was.hasPassword &&
        user.mustChoosePassword === was.mustChoosePassword;
      if (same) return;
      set({ ...state, user });
      // Another way of signing in may set up what a password could not. Who is setting up says when that is done.
      if (state.firstFactor === "open-link") void settleProfile(user.id);
    } else {
      set({ ...signedOut, user, loading: true });
      void settleProfile(user.id);
    }
  }

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: () => {
      let stopped = false;
      const stop = auth.onChange((user) => {
        if (!stopped) applyUser(user);
      });
      auth.currentUser().then(
        (user) => {
          if (!stopped) applyUser(user);
        },
        () => {
          if (!stopped) applyUser(null);
        },
      );
      return () => {
        stopped = true;
        stop();
      };
    },
    refreshProfile: async () => (state.user ? settleProfile(state.user.id) : null),
    beforeSignOut: (check) => {
      checks.add(check);
      return () => checks.delete(check);
    },
    signOut: async (scope = "local") => {
      for (const check of checks) if (!(await check())) return null;
      const wasSignedIn = state.user !== null;
      set({ ...state, loading: true });
      try {
        const error = await auth.signOut(scope);
        if (error) throw error;
      } catch (error) {
        set({ ...state, loading: false });
        return toAppError(error);
      }
      // Who had yet to show the second factor was signed in in no tab.
      if (wasSignedIn) auth.broadcastSignOut();
      applyUser(null);
      return null;
    },
  };
}
