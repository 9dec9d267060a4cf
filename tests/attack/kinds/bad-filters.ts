import type { WebSocket } from "ws";
import { sendFrame } from "../hostile-client.ts";
import type { AttackKind } from "../attack-kind.ts";
import { expensivePattern } from "../patterns.ts";

const perClient = 6;
/** Filters that fail or take the database long to validate. Each one is different. */
const filters: readonly ((turn: number) => string)[] = [
  (turn) => `id=eq.not-a-uuid-${turn}`,
  (turn) => `content=match.${expensivePattern(turn)}`,
  (turn) => `created_at=gt.yesterday-${turn}`,
  (turn) => `content=imatch.${expensivePattern(turn)}`,
  (turn) => `no_such_column=eq.${turn}`,
  (turn) => `content=match.(${turn}`,
];

/** Subscriptions with invalid filters. */
export const badFilters: AttackKind = {
  name: "bad filters",
  tries:
    "realtime subscriptions with filters that fail or cost much, half by visitors, half by members",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const isVisitor = client.index % 2 === 0;
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
      const filter = filters[turn % filters.length]?.(turn);
      const config = {
        postgres_changes: [{ event: "*", schema: "public", table: "chat_messages", filter }],
      };
      const topic = `realtime:bad-${client.index}-${turn}`;
      const token = isVisitor ? {} : { access_token: client.member.token };
      const join = { config, ...token };
      if (sendFrame(socket, topic, "phx_join", join, `${turn}`)) client.count("sent");
      // Refused channels are left, so that the attempts are limited and not the number of channels.
      sendFrame(socket, topic, "phx_leave", {}, `${turn}l`);
    });
  },
};
