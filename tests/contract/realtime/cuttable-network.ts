import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A proxy to a host that can cut connections and switch to another host. */
export interface CuttableNetwork {
  url: string;
  /** Target of new connections. */
  leadTo: (url: string) => void;
  /** Cuts one open connection without a closing frame. */
  cutOne: (pick: number) => void;
  close: () => Promise<void>;
}

export async function openNetwork(): Promise<CuttableNetwork> {
  let target = new URL("http://127.0.0.1:9");
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const cut = ([near, far]: readonly [Socket, Socket]) => {
    near.destroy();
    far.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (url) => {
      target = new URL(url);
    },
    cutOne: (pick) => {
      const pair = [...pairs][pick % Math.max(pairs.size, 1)];
      if (pair) cut(pair);
    },
    close: async () => {
      for (const pair of pairs) cut(pair);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
