import type { WebSocket } from "ws";
import { frameText, sendFrame, sendText } from "../hostile-client.ts";
import type { AttackKind } from "../attack-kind.ts";

const perClient = 20;
/** A public topic, on which every client may send. */
export const floodedTopic = "realtime:lobby-of-the-flood";
/** One payload that is accepted until the sender's budget is spent, and one that is always too large. */
const sizes = [200_000, 1_000_000] as const;

/** Large broadcasts between members, on a topic that a slow normal listener has joined. */
export const broadcastFlood: AttackKind = {
  name: "broadcast flood",
  tries: "broadcasts of 200 kB and 1 MB, 200 a second, by members, on a topic with a slow listener",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const floods = sizes.map((size) =>
      frameText(floodedTopic, "broadcast", {
        type: "broadcast",
        event: "typing",
        payload: { fat: "x".repeat(size) },
      }),
    );
    let socket: WebSocket | undefined;
    await client.pace(perClient, async (turn) => {
      if (socket === undefined || socket.readyState !== socket.OPEN) {
        socket = await client.openSocket();
        if (socket === undefined) return;
        sendFrame(socket, floodedTopic, "phx_join", {
          config: { broadcast: { self: false } },
          access_token: client.member.token,
        });
      }
      if (socket.bufferedAmount > 8_000_000) return;
      if (sendText(socket, floods[turn % floods.length] ?? "")) client.count("sent");
    });
  },
};
