import type { WebSocket } from "ws";
import { sendFrame } from "../hostile-client.ts";
import type { AttackKind } from "../kind.ts";

const perClient = 6;
const FILTERS = [
  "id=eq.not-a-uuid",
  "created_at=gt.yesterday-ish",
  "content=in.(a,b",
  "no_such_column=eq.1",
  "user_id=lt.☃",
];

/** Subscriptions whose filters cannot work. */
export const badFilters: AttackKind = {
  name: "bad filters",
  tries: "realtime subscriptions with filters that fail, without an account",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    let socket: WebSocket | undefined;
    await client.pace(perClient, async (turn) => {
      if (socket === undefined || socket.readyState !== socket.OPEN) {
        socket = await client.openSocket();
        socket?.on("message", (data) => {
          const text = (data as Buffer).toString();
          if (text.includes('"error"')) client.count("refused");
        });
      }
      if (socket === undefined) return;
      const filter = `${FILTERS[turn % FILTERS.length]}${turn}`;
      const config = {
        postgres_changes: [{ event: "*", schema: "public", table: "chat_messages", filter }],
      };
      const topic = `realtime:bad-${client.index}-${turn}`;
      if (sendFrame(socket, topic, "phx_join", { config }, `${turn}`)) client.count("sent");
      // The channels that were refused are left, so that only the trying is limited, not the number of channels.
      sendFrame(socket, topic, "phx_leave", {}, `${turn}l`);
    });
  },
};
