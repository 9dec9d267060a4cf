import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import pg from "pg";

const cancelCode = 80_877_102;
const tlsCode = 80_877_103;
const readyForQuery = 0x5a;
const terminate = 0x58;
const idle = 0x49;

/** A connection to the server, which serves one transaction after the other. */
interface ServerConnection {
  stream: Socket;
  processID: number;
  secretKey: number;
  client: PooledClient | undefined;
  /** Bytes of a message that has not arrived completely. */
  rest: Buffer;
}

interface PooledClient {
  socket: Socket;
  user: string;
  processID: number;
  secretKey: number;
  server: ServerConnection | undefined;
  waiting: Buffer[];
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/**
 * A small pool in transaction mode, as PgBouncer before 1.21 is one: between two transactions of a client it changes the connection of
 * the server whenever it can, and knows no prepared statements and no startup parameters but the usual ones.
 */
export async function startTransactionPool(
  urlOf: (user: string) => string,
  perUser = 3,
): Promise<{ port: number; opened: () => number; stop: () => Promise<void> }> {
  const servers = new Map<string, ServerConnection[]>();
  const queues = new Map<string, PooledClient[]>();
  const clients = new Set<PooledClient>();
  const connections: pg.Client[] = [];

  const release = (server: ServerConnection, user: string) => {
    if (server.client) server.client.server = undefined;
    server.client = undefined;
    const all = servers.get(user) ?? [];
    // To the end, so that the next transaction gets another one.
    all.push(...all.splice(all.indexOf(server), 1));
    const next = queues.get(user)?.shift();
    if (next) assign(server, next);
  };
  const assign = (server: ServerConnection, client: PooledClient) => {
    server.client = client;
    client.server = server;
    for (const bytes of client.waiting.splice(0)) server.stream.write(bytes);
  };
  const fromServer = (server: ServerConnection, user: string, chunk: Buffer) => {
    server.client?.socket.write(chunk);
    let bytes = Buffer.concat([server.rest, chunk]);
    while (bytes.length >= 5 && bytes.length > bytes.readUInt32BE(1)) {
      const end = bytes.readUInt32BE(1) + 1;
      const isOver = bytes[0] === readyForQuery && bytes[5] === idle;
      bytes = bytes.subarray(end);
      if (isOver) release(server, user);
    }
    server.rest = Buffer.from(bytes);
  };
  const open = async (user: string): Promise<ServerConnection> => {
    const connection = new pg.Client({ connectionString: urlOf(user) });
    connection.on("error", () => undefined);
    connections.push(connection);
    await connection.connect();
    const wire = connection as unknown as {
      connection: { stream: Socket };
      processID: number;
      secretKey: number;
    };
    const { stream } = wire.connection;
    stream.removeAllListeners("data");
    const { processID, secretKey } = wire;
    const rest = Buffer.alloc(0);
    const server: ServerConnection = { stream, processID, secretKey, client: undefined, rest };
    stream.on("data", (chunk: Buffer) => fromServer(server, user, chunk));
    return server;
  };
  const need = async (client: PooledClient) => {
    const all = servers.get(client.user) ?? [];
    servers.set(client.user, all);
    if (all.length < perUser) {
      const reserved = {} as ServerConnection;
      all.push(reserved);
      const server = await open(client.user);
      all[all.indexOf(reserved)] = server;
      release(server, client.user);
    }
    if (client.server !== undefined) return;
    const free = all.find((server) => server.stream !== undefined && server.client === undefined);
    if (free) assign(free, client);
    else queues.set(client.user, [...(queues.get(client.user) ?? []), client]);
  };
  const send = (client: PooledClient, bytes: Buffer) => {
    if (client.server) {
      client.server.stream.write(bytes);
      return;
    }
    client.waiting.push(bytes);
    if (client.waiting.length === 1) void need(client);
  };
  const cancel = (processID: number, secretKey: number) => {
    const client = [...clients].find((each) => each.processID === processID);
    if (client?.server === undefined || client.secretKey !== secretKey) return;
    const { hostname, port } = new URL(urlOf(client.user));
    const { server } = client;
    const socket = connect(Number(port), hostname);
    socket.end(
      Buffer.concat([
        int32(16),
        int32(cancelCode),
        int32(server.processID),
        int32(server.secretKey),
      ]),
    );
  };

  const accept = (socket: Socket) => {
    let bytes = Buffer.alloc(0);
    let client: PooledClient | undefined;
    const startUp = (packet: Buffer) => {
      const code = packet.readInt32BE(4);
      if (code === tlsCode) socket.write("N");
      else if (code === cancelCode) {
        cancel(packet.readInt32BE(8), packet.readInt32BE(12));
        socket.end();
      } else {
        const fields = packet.subarray(8).toString().split("\0");
        const unknown = fields.find(
          (field, at) =>
            at % 2 === 0 &&
            !["", "user", "database", "application_name", "client_encoding"].includes(field),
        );
        if (unknown !== undefined) {
          const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${unknown}\0\0`;
          socket.end(message("E", Buffer.from(text)));
          return;
        }
        const [processID, secretKey] = [randomInt(2 ** 30, 2 ** 31), randomInt(2 ** 31)];
        const user = fields[fields.indexOf("user") + 1] ?? "";
        client = { socket, user, processID, secretKey, server: undefined, waiting: [] };
        clients.add(client);
        socket.write(message("R", int32(0)));
        socket.write(message("K", int32(processID), int32(secretKey)));
        socket.write(message("Z", Buffer.from("I")));
      }
    };
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (;;) {
        // The first messages of a connection have no type before their length.
        const at = client === undefined ? 0 : 1;
        if (bytes.length < at + 4 || bytes.length < bytes.readInt32BE(at) + at) return;
        const packet = bytes.subarray(0, bytes.readInt32BE(at) + at);
        bytes = bytes.subarray(packet.length);
        if (client === undefined) startUp(packet);
        else if (packet[0] === terminate) socket.end();
        else send(client, packet);
      }
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (client) clients.delete(client);
      // As PgBouncer does with a client that left in the middle of a transaction.
      if (client?.server) client.server.stream.destroy();
    });
  };
  const listener = createServer(accept).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    opened: () => connections.length,
    stop: async () => {
      for (const { socket } of clients) socket.destroy();
      listener.close();
      for (const { stream } of [...servers.values()].flat()) stream?.destroy();
      await Promise.all(connections.map((each) => each.end().catch(() => undefined)));
    },
  };
}
