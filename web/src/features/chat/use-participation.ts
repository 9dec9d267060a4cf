import { useCallback, useEffect, useRef } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { joinRoom, leaveByBeacon, leaveRoom } from "./api/participate.ts";
import { createParticipation, type Participation } from "./model/participation.ts";

/**
 * Joins the room while it is visible, and leaves it once when it is not.
 * @returns a function that renews the participation at once, if there is one
 */
export function useParticipation(roomId: string, onJoined: () => void): () => void {
  const { client, config } = useBackend();
  const current = useRef<Participation | null>(null);
  useEffect(() => {
    let token = "";
    // Kept up to date, because there is no time to ask while the page closes.
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
