import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

/** Just enough of CBOR for what an authenticator sends. */
function cbor(value: unknown): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length]);
    if (length < 256) return Buffer.from([(major << 5) | 24, length]);
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  };
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(3, bytes.length), bytes]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, inner]) => [cbor(key), cbor(inner)]),
  ]);
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const encode = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64url");

/** What a test lets the authenticator do otherwise than it should. */
export interface Tampered {
  origin?: string;
  rpId?: string;
  challenge?: string;
  isUserVerified?: boolean;
  counter?: number;
  userHandle?: string;
  type?: string;
  crossOrigin?: boolean;
}

/** An authenticator with one passkey, which answers as a browser would hand it on. */
export class SoftwarePasskey {
  readonly id = randomBytes(32);
  readonly origin: string;
  readonly rpId: string;
  counter = 0;
  userHandle = "";
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;

  constructor(origin: string, rpId: string) {
    this.origin = origin;
    this.rpId = rpId;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = privateKey;
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#publicKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]),
    );
  }

  #authenticatorData(tampering: Tampered, attested: Buffer | undefined): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(tampering.counter ?? this.counter);
    const flags = 0x01 | (tampering.isUserVerified === false ? 0 : 0x04) | (attested ? 0x40 : 0);
    return Buffer.concat([
      sha256(tampering.rpId ?? this.rpId),
      Buffer.from([flags]),
      counter,
      attested ?? Buffer.alloc(0),
    ]);
  }

  #clientData(type: string, challenge: string, tampering: Tampered): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: tampering.type ?? type,
        challenge: tampering.challenge ?? challenge,
        origin: tampering.origin ?? this.origin,
        crossOrigin: tampering.crossOrigin ?? false,
      }),
    );
  }

  /** Answers `navigator.credentials.create`. */
  create(options: { challenge: string; user: { id: string } }, tampering: Tampered = {}) {
    this.userHandle = options.user.id;
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, this.#publicKey]);
    const authData = this.#authenticatorData(tampering, attested);
    const object = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return {
      id: encode(this.id),
      rawId: encode(this.id),
      type: "public-key" as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: encode(this.#clientData("webauthn.create", options.challenge, tampering)),
        attestationObject: encode(cbor(object)),
        transports: ["internal" as const],
      },
    };
  }

  /** Answers `navigator.credentials.get`. */
  get(options: { challenge: string }, tampering: Tampered = {}) {
    this.counter += 1;
    const authData = this.#authenticatorData(tampering, undefined);
    const clientData = this.#clientData("webauthn.get", options.challenge, tampering);
    const signature = sign("sha256", Buffer.concat([authData, sha256(clientData)]), this.#key);
    return {
      id: encode(this.id),
      rawId: encode(this.id),
      type: "public-key" as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: encode(clientData),
        authenticatorData: encode(authData),
        signature: encode(signature),
        userHandle: tampering.userHandle ?? this.userHandle,
      },
    };
  }
}
