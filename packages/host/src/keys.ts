import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { errors, jwtVerify, SignJWT, type JWTPayload } from "jose";
import { LRUCache } from "lru-cache";

const ALGORITHM = "HS256";
const TEN_YEARS_S = 10 * 365 * 24 * 3600;
const LEGACY_ROLES = new Set(["anon", "service_role"]);
/** Issuers of the legacy keys of hosted projects and of the self-hosted examples; no account's token has them. */
const legacyIssuers = new Set(["supabase", "supabase-demo"]);
const userAudience = "authenticated";

/** The verified identity behind one request. */
export interface Caller {
  /** Database role the request runs as: anon, authenticated, service_role or a role of the project's own. */
  role: string;
  /** Claims of the verified token, or `{ role }` where only a key was sent. */
  claims: Readonly<Record<string, unknown>>;
  /** `sub` of an account's token. */
  userId?: string;
}

/** A key or token that is missing, malformed, expired or signed by somebody else. */
export class InvalidToken extends Error {
  override readonly name = "InvalidToken";
  readonly status = 401;
}

/** Keys an install hands out: legacy JWT keys and their publishable and secret successors. */
export interface ApiKeys {
  anonKey: string;
  serviceRoleKey: string;
  publishableKey: string;
  secretKey: string;
}

/** Decides whose tokens are this install's own. */
interface AcceptedIssuers {
  accepts: (issuer: string) => Promise<boolean>;
}

/** Keys are looked up by digest: how long that takes tells nothing about a key itself. */
function digestOf(key: string): string {
  return hash("sha256", key, "base64");
}

/** Signs and checks every token of this install; all with one pinned algorithm and one secret. */
export class Keys {
  readonly api: ApiKeys;
  readonly #secret: Uint8Array;
  readonly #now: () => number;
  readonly #issuers: AcceptedIssuers;
  readonly #roles: ReadonlyMap<string, "anon" | "service_role">;
  readonly #verified = new LRUCache<string, { claims: Record<string, unknown>; exp: number }>({
    max: 20_000,
  });
  /** Who sent a request, found out once although several parts of the host ask. */
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

  /** Derives the keys that are not given from the secret, so a restart hands out the same ones. */
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
        .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TEN_YEARS_S)
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

  /** A value only this install can compute, the same on every host that shares the secret; 43 characters. */
  derive(purpose: string, text: string): string {
    const label = JSON.stringify([purpose, text]);
    return createHmac("sha256", this.#secret).update(label).digest("base64url");
  }

  /** Signs claims as they are; the caller sets `exp` (epoch seconds). */
  async sign(claims: Record<string, unknown>): Promise<string> {
    return await new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
      .sign(this.#secret);
  }

  /**
   * An account's token is meant for signed-in people and comes from this install: `aud` must say so, and `iss`
   * where there is one. A key has no `sub`; what it names as its issuer is the platform.
   */
  async #isOurs({ sub, aud, iss }: JWTPayload): Promise<boolean> {
    const audiences = aud === undefined ? [] : [aud].flat();
    const isUser = sub !== undefined;
    if (isUser || audiences.length > 0) {
      if (!audiences.includes(userAudience)) return false;
    }
    if (iss === undefined || (!isUser && legacyIssuers.has(iss))) return true;
    return await this.#issuers.accepts(iss);
  }

  /**
   * Claims of a token that this install signed for this use and that has not expired.
   * A verified token is remembered until it expires: checking costs a map look-up from then on.
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
    if (!this.#isSigned(token)) throw new InvalidToken("JWT could not be verified");
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, this.#secret, {
        algorithms: [ALGORITHM],
        currentDate: new Date(this.#now()),
        requiredClaims: ["exp", "role"],
      }));
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new InvalidToken("JWT expired");
      throw new InvalidToken("JWT could not be verified");
    }
    // The operator's own keys are taken as they are, whatever tool made them.
    if (!this.#roles.has(digestOf(token)) && !(await this.#isOurs(payload))) {
      throw new InvalidToken("JWT is meant for another audience or comes from another issuer");
    }
    this.#verified.set(token, { claims: payload, exp: payload.exp ?? 0 });
    return payload;
  }

  /** Looks at the signature alone, at once: made-up tokens end here, for a fraction of what the whole check costs. */
  #isSigned(token: string): boolean {
    const end = token.lastIndexOf(".");
    const given = Buffer.from(token.slice(end + 1), "base64url");
    const right = createHmac("sha256", this.#secret).update(token.slice(0, end)).digest();
    return given.length === right.length && timingSafeEqual(given, right);
  }

  /**
   * Claims of a link this install signed, such as one to a stored file. A link names no role, so that it can
   * never be anybody's identity: `verify` refuses it, and this refuses whatever names one.
   * @throws {InvalidToken}
   */
  async verifyLink(token: string): Promise<Record<string, unknown>> {
    try {
      const { payload } = await jwtVerify(token, this.#secret, {
        algorithms: [ALGORITHM],
        currentDate: new Date(this.#now()),
        requiredClaims: ["exp", "url"],
      });
      if (payload["role"] === undefined) return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new InvalidToken("JWT expired");
    }
    throw new InvalidToken("JWT could not be verified");
  }

  /** The role an API key stands for, or undefined when it is none of ours. */
  async roleOfKey(key: string): Promise<"anon" | "service_role" | undefined> {
    const known = this.#roles.get(digestOf(key));
    if (known !== undefined) return known;
    if (!key.startsWith("ey")) return undefined;
    const claims = await this.verify(key).catch(() => undefined);
    const role = claims?.["role"];
    return typeof role === "string" && LEGACY_ROLES.has(role) && claims?.["sub"] === undefined
      ? (role as "anon" | "service_role")
      : undefined;
  }

  /**
   * Who is calling: the bearer token decides, else the API key.
   * @throws {InvalidToken} when neither is good; a bad bearer is never replaced by a good key.
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
    const bearer = /^bearer\s+(\S+)\s*$/i.exec(header)?.[1];
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

/** A fresh secret of 256 bits, in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
