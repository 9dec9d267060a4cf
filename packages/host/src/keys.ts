// API keys and JWTs: creates, signs and verifies them, and resolves a request to its role and claims.

import { createHmac, hash, randomBytes } from "node:crypto";
import { errors, jwtVerify, type JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import { derivedKeys, type DataKeys, type DerivedKeys } from "./data-keys.ts";
import { JwtSignatures, secretOf, signWithSecret } from "./jwt-signatures.ts";
import { noSigningKeys, type SigningKeys } from "./signing-keys.ts";

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

/** A key or token that is missing, malformed, expired or signed with another key. */
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

/** What {@link Keys} are made of. */
interface KeyOptions {
  /** Signs the legacy API keys, and access tokens where no signing key does. */
  jwtSecret: string;
  /** A second secret, whose tokens and legacy API keys are accepted. */
  previousJwtSecret?: string | undefined;
  dataKeys: DataKeys;
  signingKeys?: SigningKeys;
  anonKey?: string | undefined;
  serviceRoleKey?: string | undefined;
  issuers: AcceptedIssuers;
  now: () => number;
}

const bytesOf = (secret: string) => new TextEncoder().encode(secret);

/** The publishable and the secret key that follow from a data key. */
function opaqueKeys(dataKey: string): Pick<ApiKeys, "publishableKey" | "secretKey"> {
  const derive = (label: string) =>
    createHmac("sha256", dataKey).update(label).digest("base64url").slice(0, 32);
  return {
    publishableKey: `sb_publishable_${derive("publishable")}`,
    secretKey: `sb_secret_${derive("secret")}`,
  };
}

/** A legacy API key of a role. A fixed issue time keeps it the same across restarts of one install. */
async function legacyKey(role: string, secret: Uint8Array): Promise<string> {
  const iat = 1_767_225_600;
  return await signWithSecret({ role, iss: "supabase", iat, exp: iat + tenYearsS }, secret);
}

/** Signs and verifies every token of this install, and derives what else it keeps secret. */
export class Keys implements DerivedKeys {
  readonly api: ApiKeys;
  /** The previous secret key, while the data key is being rotated. */
  readonly previousSecretKey: string | undefined;
  /** The public halves of all signing keys, as JWKs. */
  readonly publicJwks: readonly Readonly<Record<string, unknown>>[];
  /** A keyed hash of a text for a purpose; see {@link DerivedKeys}. */
  readonly derive: DerivedKeys["derive"];
  /** {@link derive} with every accepted data key, the current one first. */
  readonly deriveAll: DerivedKeys["deriveAll"];
  readonly #signatures: JwtSignatures;
  /** Secrets of signed URLs: the first signs. The JWT secrets signed those that were made before it did. */
  readonly #urlSecrets: readonly [Uint8Array, ...Uint8Array[]];
  readonly #now: () => number;
  readonly #issuers: AcceptedIssuers;
  readonly #roles: ReadonlyMap<string, "anon" | "service_role">;
  readonly #verified = new LRUCache<string, { claims: Record<string, unknown>; exp: number }>({
    max: 20_000,
  });
  /** The caller of each request, resolved once although several parts of the host need it. */
  readonly #callers = new WeakMap<Request, Promise<Caller>>();

  private constructor(api: ApiKeys, options: KeyOptions) {
    const { jwtSecret, previousJwtSecret, dataKeys, signingKeys = noSigningKeys } = options;
    this.api = api;
    this.#now = options.now;
    this.#issuers = options.issuers;
    const previousSecrets = previousJwtSecret === undefined ? [] : [bytesOf(previousJwtSecret)];
    const jwtSecrets = [bytesOf(jwtSecret), ...previousSecrets] as const;
    this.#signatures = new JwtSignatures(jwtSecrets, signingKeys);
    this.publicJwks = [...signingKeys.keys.values()].map(({ publicJwk }) => publicJwk);
    const { derive, deriveAll } = derivedKeys(dataKeys);
    this.derive = derive;
    this.deriveAll = deriveAll;
    const [current = "", ...others] = deriveAll("signed url", "");
    this.#urlSecrets = [bytesOf(current), ...others.map(bytesOf), ...jwtSecrets];
    const previous = dataKeys.previous === undefined ? undefined : opaqueKeys(dataKeys.previous);
    this.previousSecretKey = previous?.secretKey;
    this.#roles = new Map([
      [digestOf(api.anonKey), "anon"],
      [digestOf(api.publishableKey), "anon"],
      [digestOf(api.serviceRoleKey), "service_role"],
      [digestOf(api.secretKey), "service_role"],
      ...(previous
        ? ([
            [digestOf(previous.publishableKey), "anon"],
            [digestOf(previous.secretKey), "service_role"],
          ] as const)
        : []),
    ]);
  }

  /** Derives the API keys that are not given, so they are the same after a restart. */
  static async create(options: KeyOptions): Promise<Keys> {
    const secret = bytesOf(options.jwtSecret);
    const api: ApiKeys = {
      anonKey: options.anonKey ?? (await legacyKey("anon", secret)),
      serviceRoleKey: options.serviceRoleKey ?? (await legacyKey("service_role", secret)),
      ...opaqueKeys(options.dataKeys.current),
    };
    return new Keys(api, options);
  }

  /** Signs an access token; the caller sets `exp` (epoch seconds). */
  async sign(claims: Record<string, unknown>): Promise<string> {
    return await this.#signatures.sign(claims);
  }

  /** Signs the token of a signed URL; the caller sets `exp` (epoch seconds). */
  async signUrlToken(claims: Record<string, unknown>): Promise<string> {
    return await signWithSecret(claims, this.#urlSecrets[0]);
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
    const found = this.#signatures.keyOf(token);
    if (found === undefined) throw new InvalidToken("JWT could not be verified");
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, found.key, {
        algorithms: [found.algorithm],
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

  /**
   * Verifies the token of a signed URL, such as that of a stored file, and returns its claims. Such a token has no role,
   * so it cannot serve as an access token: `verify` rejects it, and this method rejects tokens with a role.
   * @throws {InvalidToken}
   */
  async verifySignedUrl(token: string): Promise<Record<string, unknown>> {
    const found = secretOf(token, this.#urlSecrets);
    if (found === undefined) throw new InvalidToken("JWT could not be verified");
    try {
      const { payload } = await jwtVerify(token, found.key, {
        algorithms: [found.algorithm],
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
