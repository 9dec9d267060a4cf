// API keys and JWTs: creates, signs and verifies them, and resolves a request to its role and claims.

import { createHmac, hash, randomBytes } from "node:crypto";
import { errors, jwtVerify, SignJWT, type JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import { isEqualConstantTime } from "./constant-time.ts";

const algorithm = "HS256";
const tenYearsS = 10 * 365 * 24 * 3600;
const legacyRoles = new Set(["anon", "service_role"]);
/** Issuers of the legacy API keys of hosted projects and of the self-hosting examples; user tokens never have them. */
const legacyIssuers = new Set(["supabase", "supabase-demo"]);
const userAudience = "authenticated";

/** The verified identity behind one request. */
export interface Caller {
  /** Database role the request runs as: anon, authenticated, service_role or a custom role of the project. */
  role: string;
  /** Claims of the verified token, or `{ role }` when only an API key was sent. */
  claims: Readonly<Record<string, unknown>>;
  /** `sub` claim of a user token. */
  userId?: string;
}

/** A key or token that is missing, malformed, expired or signed with another secret. */
export class InvalidToken extends Error {
  override readonly name = "InvalidToken";
  readonly status = 401;
  /** True when the token is genuine, but its claims do not hold. */
  readonly isAboutClaims: boolean;

  constructor(message: string, isAboutClaims = message === "JWT expired") {
    super(message);
    this.isAboutClaims = isAboutClaims;
  }
}

/** API keys of an install: the legacy JWT keys and the newer publishable and secret keys. */
export interface ApiKeys {
  anonKey: string;
  serviceRoleKey: string;
  publishableKey: string;
  secretKey: string;
}

/** Decides which token issuers are this install's own. */
interface AcceptedIssuers {
  accepts: (issuer: string) => Promise<boolean>;
}

/** Keys are looked up by digest, so that the lookup time reveals nothing about a key. */
function digestOf(key: string): string {
  return hash("sha256", key, "base64");
}

/** Signs and verifies every token of this install with one fixed algorithm and one secret. */
export class Keys {
  readonly api: ApiKeys;
  readonly #secret: Uint8Array;
  readonly #now: () => number;
  readonly #issuers: AcceptedIssuers;
  readonly #roles: ReadonlyMap<string, "anon" | "service_role">;
  readonly #verified = new LRUCache<string, { claims: Record<string, unknown>; exp: number }>({
    max: 20_000,
  });
  /** The caller of each request, resolved once although several parts of the host need it. */
  readonly #callers = new WeakMap<Request, Promise<Caller>>();

  private constructor(
    secret: Uint8Array,
    api: ApiKeys,
    options: { now: () => number; issuers: AcceptedIssuers },
  ) {
    this.#secret = secret;
    this.api = api;
    this.#now = options.now;
    this.#issuers = options.issuers;
    this.#roles = new Map([
      [digestOf(api.anonKey), "anon"],
      [digestOf(api.publishableKey), "anon"],
      [digestOf(api.serviceRoleKey), "service_role"],
      [digestOf(api.secretKey), "service_role"],
    ]);
  }

  /** Derives the keys that are not given from the secret, so they are the same after a restart. */
  static async create(options: {
    jwtSecret: string;
    anonKey?: string | undefined;
    serviceRoleKey?: string | undefined;
    issuers: AcceptedIssuers;
    now: () => number;
  }): Promise<Keys> {
    const secret = new TextEncoder().encode(options.jwtSecret);
    const derive = (label: string) =>
      createHmac("sha256", secret).update(label).digest("base64url").slice(0, 32);
    const legacy = async (role: string) => {
      // A fixed issue time keeps the key the same across restarts of one install.
      const issuedAt = 1_767_225_600;
      return await new SignJWT({ role, iss: "supabase" })
        .setProtectedHeader({ alg: algorithm, typ: "JWT" })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + tenYearsS)
        .sign(secret);
    };
    const api: ApiKeys = {
      anonKey: options.anonKey ?? (await legacy("anon")),
      serviceRoleKey: options.serviceRoleKey ?? (await legacy("service_role")),
      publishableKey: `sb_publishable_${derive("publishable")}`,
      secretKey: `sb_secret_${derive("secret")}`,
    };
    return new Keys(secret, api, options);
  }

  /** A keyed hash of `text`, the same on every host with the same secret; 43 characters. */
  derive(purpose: string, text: string): string {
    const label = JSON.stringify([purpose, text]);
    return createHmac("sha256", this.#secret).update(label).digest("base64url");
  }

  /** Signs the given claims; the caller sets `exp` (epoch seconds). */
  async sign(claims: Record<string, unknown>): Promise<string> {
    return await new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, typ: "JWT" })
      .sign(this.#secret);
  }

  /**
   * Checks audience and issuer. A user token needs `aud` `authenticated` and, if it has an `iss`, one of this install.
   * An API key has no `sub`, and its issuer is the platform.
   */
  async #isIssuedForUs({ sub, aud, iss }: JWTPayload): Promise<boolean> {
    const audiences = aud === undefined ? [] : [aud].flat();
    const isUser = sub !== undefined;
    if (isUser || audiences.length > 0) {
      if (!audiences.includes(userAudience)) return false;
    }
    if (iss === undefined || (!isUser && legacyIssuers.has(iss))) return true;
    return await this.#issuers.accepts(iss);
  }

  /**
   * Verifies a token and returns its claims.
   * A verified token is cached until it expires; later calls cost a map lookup.
   * @throws {InvalidToken}
   */
  async verify(token: string): Promise<Record<string, unknown>> {
    const nowS = Math.floor(this.#now() / 1000);
    const known = this.#verified.get(token);
    if (known !== undefined) {
      if (known.exp > nowS) return known.claims;
      this.#verified.delete(token);
      throw new InvalidToken("JWT expired");
    }
    const parts = token.split(".", 10).length;
    if (parts !== 3) throw new InvalidToken(`Expected 3 parts in JWT; got ${parts}`);
    if (!this.#hasValidSignature(token)) throw new InvalidToken("JWT could not be verified");
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, this.#secret, {
        algorithms: [algorithm],
        currentDate: new Date(this.#now()),
        requiredClaims: ["exp", "role"],
      }));
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new InvalidToken("JWT expired");
      const isAboutClaims = error instanceof errors.JWTClaimValidationFailed;
      throw new InvalidToken("JWT could not be verified", isAboutClaims);
    }
    // The configured API keys need no issuer check: other tools may have created them.
    if (!this.#roles.has(digestOf(token)) && !(await this.#isIssuedForUs(payload))) {
      throw new InvalidToken("JWT is meant for another audience or comes from another issuer");
    }
    this.#verified.set(token, { claims: payload, exp: payload.exp ?? 0 });
    return payload;
  }

  /** Checks only the signature, synchronously: rejects forged tokens for a fraction of the cost of a full check. */
  #hasValidSignature(token: string): boolean {
    const end = token.lastIndexOf(".");
    const signature = Buffer.from(token.slice(end + 1), "base64url");
    const expected = createHmac("sha256", this.#secret).update(token.slice(0, end)).digest();
    return isEqualConstantTime(signature, expected);
  }

  /**
   * Verifies the token of a signed URL, such as that of a stored file, and returns its claims. Such a token has no role,
   * so it cannot serve as an access token: `verify` rejects it, and this method rejects tokens with a role.
   * @throws {InvalidToken}
   */
  async verifySignedUrl(token: string): Promise<Record<string, unknown>> {
    try {
      const { payload } = await jwtVerify(token, this.#secret, {
        algorithms: [algorithm],
        currentDate: new Date(this.#now()),
        requiredClaims: ["exp", "url"],
      });
      if (payload["role"] === undefined) return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new InvalidToken("JWT expired");
    }
    throw new InvalidToken("JWT could not be verified");
  }

  /** The role of an API key, or undefined when it is not valid. */
  async roleOfKey(key: string): Promise<"anon" | "service_role" | undefined> {
    const known = this.#roles.get(digestOf(key));
    if (known !== undefined) return known;
    if (!key.startsWith("ey")) return undefined;
    const claims = await this.verify(key).catch(() => undefined);
    const role = claims?.["role"];
    return typeof role === "string" && legacyRoles.has(role) && claims?.["sub"] === undefined
      ? (role as "anon" | "service_role")
      : undefined;
  }

  /**
   * The caller of a request: from the bearer token, else from the API key.
   * @throws {InvalidToken} when neither is valid; an invalid bearer token is an error even with a valid API key.
   */
  async resolveCaller(request: Request): Promise<Caller> {
    const known = this.#callers.get(request) ?? this.#findCaller(request);
    this.#callers.set(request, known);
    return await known;
  }

  async #findCaller(request: Request): Promise<Caller> {
    const key =
      request.headers.get("apikey") ?? new URL(request.url).searchParams.get("apikey") ?? undefined;
    const header = request.headers.get("authorization") ?? "";
    if (/^bearer\s*$/i.test(header)) {
      throw new InvalidToken("Empty JWT is sent in Authorization header");
    }
    const bearer = /^bearer\s+(\S.*)$/i.exec(header.trim())?.[1];
    const keyRole = key === undefined ? undefined : await this.roleOfKey(key);
    if (key !== undefined && keyRole === undefined) throw new InvalidToken("Invalid API key");
    if (bearer === undefined) {
      if (keyRole === undefined) throw new InvalidToken("No API key found in request");
      return { role: keyRole, claims: { role: keyRole } };
    }
    const bearerRole = bearer.startsWith("ey") ? undefined : await this.roleOfKey(bearer);
    if (bearerRole !== undefined) return { role: bearerRole, claims: { role: bearerRole } };
    const claims = await this.verify(bearer);
    const role = typeof claims["role"] === "string" ? claims["role"] : "anon";
    const subject = claims["sub"];
    return typeof subject === "string" ? { role, claims, userId: subject } : { role, claims };
  }
}

/** A random secret of 256 bits, in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
