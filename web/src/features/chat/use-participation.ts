import { useCallback, useEffect, useRef } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { joinRoom, leaveByBeacon, leaveRoom } from "./api/participate.ts";
import { createParticipation, type Participation } from "./model/participation.ts";

/**
 * Takes a place in the room while it is seen, and gives it up once when it is not.
 * @returns renews the place at once, if there is one
 */
export function useParticipation(roomId: string, onJoined: () => void): () => void {
  const { client, config } = useBackend();
  const current = useRef<Participation | null>(null);
  useEffect(() => {
    let token = "";
    /* Known beforehand: while the page closes there is no time to ask. */
    const { data } = client.auth.onAuthStateChange((_event, session) => {
      token = session?.access_token ?? "";
    });
    const place = createParticipation({
      join: async () => {
        await joinRoom(client, roomId);
        onJoined();
      },
      leave: () => leaveRoom(client, roomId),
      leaveOnUnload: () => {
        if (config.backend && token !== "") leaveByBeacon(config.backend, token, roomId);
      },
      clock: systemClock,
    });
    current.current = place;
    const look = () => {
      if (document.visibilityState === "hidden") place.hide();
      else place.enter();
    };
    const close = () => place.hide();
    look();
    document.addEventListener("visibilitychange", look);
    window.addEventListener("pagehide", close);
    window.addEventListener("pageshow", look);
    return () => {
      current.current = null;
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("pagehide", close);
      window.removeEventListener("pageshow", look);
      place.leave();
      data.subscription.unsubscribe();
    };
  }, [client, config, roomId, onJoined]);
  return useCallback(() => current.current?.renew(), []);
}
