import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Carries connections to a port of this machine, until it is cut. */
export interface Relay {
  port: number;
  /** Carries nothing more, and closes nothing: neither side is told, as when a cable is pulled. */
  cut: () => void;
  join: () => void;
  close: () => void;
}

export async function startRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const carry = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("data", (chunk) => {
      // What was sent while the cable was out is lost with its connection.
      if (!isCut) to.write(chunk);
    });
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    carry(client, upstream);
    carry(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
    },
    join: () => {
      isCut = false;
      // A connection that missed bytes can't go on.
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
