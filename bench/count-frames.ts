// Opens many sockets in its own process and counts the frames they receive.
// Messages of its parent: `{ open }` opens and joins sockets, `{ expect }` reports once so many frames have arrived.
import { connect, type Socket } from "node:net";
import { randomBytes } from "node:crypto";

/** A message of the parent. */
export type CounterOrder =
  | { open: { url: string; count: number; joins: readonly string[]; framesToJoin: number } }
  | { expect: number };

/** The host closes sockets that are silent for a minute. This message keeps one open and gets no reply. */
const keepAliveFrame = JSON.stringify([null, null, "realtime:room", "access_token", {}]);
const keepAliveEveryMs = 15_000;

let counted = 0;
let wanted = 0;
let sample = "";
let isJoining = true;

function report(message: object): void {
  process.send?.(message);
}

/** Calls back with the payload of each whole frame. */
class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  read(chunk: Buffer, each: (payload: Buffer) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.length - at >= 2) {
      const short = (bytes[at + 1] ?? 0) & 0x7f;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (bytes.length - at < head) break;
      const length =
        short < 126
          ? short
          : short === 126
            ? bytes.readUInt16BE(at + 2)
            : Number(bytes.readBigUInt64BE(at + 2));
      if (bytes.length - at < head + length) break;
      each(bytes.subarray(at + head, at + head + length));
      at += head + length;
    }
    this.#rest = bytes.subarray(at);
  }
}

/** A frame with a mask of zeros: clients must mask, and zeros leave the bytes unchanged. */
function masked(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

function count(payload: Buffer): void {
  counted += 1;
  if (counted === wanted) {
    sample = payload.toString("utf8");
    report({ arrived: wanted, sample });
  }
}

async function openOne(url: URL, join: string | undefined, framesToJoin: number): Promise<Socket> {
  return await new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    const reader = new FrameReader();
    let toJoin = framesToJoin;
    let head = "";
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      let bytes = chunk;
      if (!head.includes("\r\n\r\n")) {
        head += chunk.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        if (!head.startsWith("HTTP/1.1 101")) reject(new Error(head));
        bytes = Buffer.from(head.slice(end + 4), "latin1");
        if (join !== undefined) socket.write(masked(join));
        if (toJoin === 0) resolve(socket);
      }
      reader.read(bytes, (payload) => {
        if (!isJoining) {
          count(payload);
          return;
        }
        if (payload.includes('"status":"error"')) reject(new Error(payload.toString("utf8")));
        toJoin -= 1;
        if (toJoin === 0) resolve(socket);
      });
    });
    const key = randomBytes(16).toString("base64");
    socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
  });
}

process.on("message", (order: CounterOrder) => {
  if ("expect" in order) {
    counted = 0;
    wanted = order.expect;
    report({ ready: true });
    return;
  }
  const { url, count: sockets, joins, framesToJoin } = order.open;
  const openAll = async () => {
    const joined: Socket[] = [];
    // A thousand joins take long on a busy machine, so the first sockets may have been silent too long.
    setInterval(() => {
      for (const socket of joined) socket.write(masked(keepAliveFrame));
    }, keepAliveEveryMs);
    for (let at = 0; at < sockets; at += 1) {
      const socket = await openOne(new URL(url), joins[at], framesToJoin);
      if (joins[at] !== undefined) joined.push(socket);
    }
    isJoining = false;
    report({ ready: true });
  };
  openAll().catch((error: unknown) => {
    throw error;
  });
});
