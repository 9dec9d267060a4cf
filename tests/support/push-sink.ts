import {
  createDecipheriv,
  createECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  type ECDH,
} from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A message as a browser gets it. */
export interface ReceivedPush {
  endpoint: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decrypted with the browser's keys. */
  message: unknown;
  /** As it came over the wire. */
  bytes: Buffer;
}

/** A browser's subscription. */
export interface SinkSubscription {
  endpoint: string;
  p256dh: string;
  auth_key: string;
}

/** A push service on this machine, with its browsers. */
export interface PushSink {
  origin: string;
  subscribe: () => SinkSubscription;
  received: (endpoint: string) => ReceivedPush[];
  /** The status that it answers from now on, with this address to be led to. */
  answer: (status: number, location?: string) => void;
  stop: () => Promise<void>;
}

interface Browser {
  pair: ECDH;
  auth: Buffer;
}

function derive(secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, length));
}

/** Decrypts a message of RFC 8291 with the keys of a browser. Throws when it is for another one. */
function decrypt({ pair, auth }: Browser, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), sender]);
  const key = derive(pair.computeSecret(sender), auth, info, 32);
  const cipherKey = derive(key, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(key, salt, "Content-Encoding: nonce\0", 12);
  const decipher = createDecipheriv("aes-128-gcm", cipherKey, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString("utf8");
}

/** Starts a push service that decrypts what it gets, as the browser would. */
export async function startPushSink(): Promise<PushSink> {
  const browsers = new Map<string, Browser>();
  const received: ReceivedPush[] = [];
  let reply: { status: number; location?: string } = { status: 201 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const endpoint = `${origin}${request.url ?? ""}`;
      const browser = browsers.get(endpoint);
      const message: unknown = browser ? JSON.parse(decrypt(browser, bytes)) : null;
      received.push({ endpoint, headers: request.headers, message, bytes });
      const { status, location } = reply;
      response.writeHead(status, location === undefined ? {} : { location }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    subscribe: () => {
      const pair = createECDH("prime256v1");
      pair.generateKeys();
      const browser = { pair, auth: randomBytes(16) };
      const endpoint = `${origin}/send/${randomUUID()}`;
      browsers.set(endpoint, browser);
      return {
        endpoint,
        p256dh: pair.getPublicKey("base64url"),
        auth_key: browser.auth.toString("base64url"),
      };
    },
    received: (endpoint) => received.filter((each) => each.endpoint === endpoint),
    answer: (status, location) => {
      reply = location === undefined ? { status } : { status, location };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
