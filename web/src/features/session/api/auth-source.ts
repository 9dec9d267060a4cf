import type { Session } from "@supabase/supabase-js";
import { asChosenPlan } from "@/domain/chosen-plan.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import {
  isSecondFactorRequired,
  methodsOf,
  mustChoosePassword,
} from "../model/authenticator-assurance.ts";
import { systemClock, waitFor } from "@/lib/clock.ts";
import { unsubscribeFromPush } from "@/lib/push-subscription.ts";
import { broadcastSignOut } from "@/lib/sign-out-broadcast.ts";
import type { AuthSource, SessionUser } from "../model/session-store.ts";

function toUser(session: Session | null): SessionUser | null {
  if (session === null) return null;
  const { id, email = "", created_at: made, confirmed_at, last_sign_in_at } = session.user;
  return {
    id,
    email,
    chosenPlan: asChosenPlan(session.user.user_metadata["plan"]),
    joinedAt: Date.parse(confirmed_at ?? made),
    signedInAt: Date.parse(last_sign_in_at ?? made),
    isRecovering: methodsOf(session).includes("recovery"),
    mustChoosePassword: mustChoosePassword(session),
    ...waysIn(session),
    secondFactorRequired: isSecondFactorRequired(session),
  };
}

/** By which ways the account can be opened; the server lists the address only while there is a password. */
function waysIn({ user }: Session): Pick<SessionUser, "hasPassword" | "providers"> {
  const listed: unknown = user.app_metadata["providers"];
  const names = Array.isArray(listed) ? listed.map(String) : [];
  const providers = names.filter((name) => name !== "email");
  return { hasPassword: providers.length === 0 || names.includes("email"), providers };
}

/** How long, and how often, the session of another tab is looked for. */
const arrivalLimitMs = 5000;
const lookAgainMs = 25;

/** False while this tab can't read a session yet that another one has stored. */
function isStored({ access_token: token }: Session): boolean {
  try {
    return Object.values(localStorage).some((value) => String(value).includes(token));
  } catch {
    return true;
  }
}

/** Waits until the client reads the session of this user, because its requests carry what it reads. */
async function untilReadable(client: BackendClient, { user }: Session): Promise<void> {
  for (let waitedMs = 0; waitedMs < arrivalLimitMs; waitedMs += lookAgainMs) {
    const { data } = await client.auth.getSession();
    if (data.session?.user.id === user.id) return;
    await waitFor(systemClock, lookAgainMs);
  }
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
      let latest = 0;
      const { data } = client.auth.onAuthStateChange((event, session) => {
        if (event === "INITIAL_SESSION") return;
        latest += 1;
        const turn = latest;
        if (session === null || isStored(session)) {
          listener(toUser(session));
          return;
        }
        // Another tab's message comes before what it stored: what is asked now would be asked without a session.
        void untilReadable(client, session).then(() => {
          if (turn === latest) listener(toUser(session));
        });
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
