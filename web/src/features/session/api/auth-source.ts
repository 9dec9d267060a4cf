import type { Session } from "@supabase/supabase-js";
import type { BackendClient } from "@/lib/backend-client.ts";
import {
  isSecondFactorRequired,
  methodsOf,
  mustChoosePassword,
} from "../model/authenticator-assurance.ts";
import { unsubscribeFromPush } from "@/lib/push-subscription.ts";
import { broadcastSignOut } from "@/lib/sign-out-broadcast.ts";
import type { AuthSource, SessionUser } from "../model/session-store.ts";

function toUser(session: Session | null): SessionUser | null {
  if (session === null) return null;
  const { id, email = "", created_at: made, confirmed_at, last_sign_in_at } = session.user;
  return {
    id,
    email,
    joinedAt: Date.parse(confirmed_at ?? made),
    signedInAt: Date.parse(last_sign_in_at ?? made),
    isRecovering: methodsOf(session).includes("recovery"),
    mustChoosePassword: mustChoosePassword(session),
    secondFactorRequired: isSecondFactorRequired(session),
  };
}

/**
 * The official client as the session store sees it. The library itself refreshes the tokens: it
 * looks every 30 s and renews at 90 s or less. Its first event repeats what `currentUser` reads.
 */
export function authSourceOf(client: BackendClient): AuthSource {
  return {
    currentUser: async () => {
      const { data, error } = await client.auth.getSession();
      if (error) return null;
      return toUser(data.session);
    },
    onChange: (listener) => {
      const { data } = client.auth.onAuthStateChange((event, session) => {
        if (event !== "INITIAL_SESSION") listener(toUser(session));
      });
      return () => data.subscription.unsubscribe();
    },
    signOut: async (scope) => {
      const { error } = await client.auth.signOut({ scope });
      // The server stops with the session; this stops what is on its way to the device.
      if (error === null) void unsubscribeFromPush();
      return error;
    },
    broadcastSignOut,
  };
}
