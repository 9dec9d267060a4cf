import type { WebSocket } from "ws";
import { frameText, sendFrame, sendText } from "../hostile-client.ts";
import type { AttackKind } from "../kind.ts";

const perClient = 20;
const payload = { type: "broadcast", event: "typing", payload: { fat: "x".repeat(1_000_000) } };

/** Broadcasts of a megabyte into a room that honest members read, one of them slowly. */
export const broadcastFlood: AttackKind = {
  name: "broadcast flood",
  tries: "broadcasts of 1 MB, 200 a second, by members, into a room with a slow listener",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const topic = `realtime:room:${client.field.room}`;
    const flood = frameText(topic, "broadcast", payload);
    let socket: WebSocket | undefined;
    await client.pace(perClient, async () => {
      if (socket === undefined || socket.readyState !== socket.OPEN) {
        socket = await client.openSocket();
        if (socket === undefined) return;
        sendFrame(socket, topic, "phx_join", {
          config: {
            private: true,
            presence: { key: client.member.id },
            broadcast: { self: false },
          },
          access_token: client.member.token,
        });
      }
      if (socket.bufferedAmount > 8_000_000) return;
      if (sendText(socket, flood)) client.count("sent");
    });
  },
};
