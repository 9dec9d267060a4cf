// The client side of OpenID Connect: where a browser is sent, the exchange of the code, and the check of an ID token.

import { createHash } from "node:crypto";
import {
  createRemoteJWKSet,
  customFetch,
  jwtVerify,
  type JWTPayload,
  type RemoteJWKSet,
} from "jose";
import { isEqualConstantTime } from "../../constant-time.ts";
import type { ProviderSettings } from "../settings.ts";
import { fetchProviderJson, ProviderFailure } from "./fetch-json.ts";
import { providerKinds, type ProviderEndpoints, type ProviderName } from "./provider-kinds.ts";

/** Seconds that a provider's clock may differ from ours. */
const clockToleranceS = 30;
/** How old an ID token may be that answers a code which was just exchanged. */
const freshTokenAge = "10m";
/** The keys of a provider are asked for again after this time, and for an unknown key at most this often. */
const keyCacheMs = 600_000;
const keyCooldownMs = 30_000;
const maxIdTokenLength = 16 * 1024;
const algorithms = ["RS256", "ES256"];

/** What a client may add to the address of the provider; everything else there is ours to say. */
const passedOn = [
  "access_type",
  "display",
  "hd",
  "hl",
  "login_hint",
  "max_age",
  "prompt",
  "ui_locales",
];
const scopePattern = /^[\w:/.-]{1,128}$/;
const maxScopes = 20;

/** The S256 code challenge of a verifier. */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** The nonce of the ID token that answers the sign-in of a verifier. It reveals nothing about the verifier. */
export function nonceOf(verifier: string): string {
  return createHash("sha256").update(`nonce ${verifier}`).digest("base64url");
}

function assertSameOrigin(issuer: string, value: unknown): string {
  if (typeof value !== "string" || !URL.canParse(value)) {
    throw new ProviderFailure("its discovery document lacks an address");
  }
  if (new URL(value).origin !== new URL(issuer).origin) {
    throw new ProviderFailure("its discovery document names another site");
  }
  return value;
}

/** The addresses of a stand-in, all of which must be on its own site. */
async function discover(issuer: string): Promise<ProviderEndpoints> {
  const base = issuer.replace(/\/$/, "");
  const found = await fetchProviderJson(`${base}/.well-known/openid-configuration`);
  if (found["issuer"] !== issuer) throw new ProviderFailure("it is another issuer");
  return {
    issuers: [issuer],
    authorization: assertSameOrigin(issuer, found["authorization_endpoint"]),
    token: assertSameOrigin(issuer, found["token_endpoint"]),
    keys: assertSameOrigin(issuer, found["jwks_uri"]),
  };
}

/** A provider that is on. */
export class OidcProvider {
  readonly name: ProviderName;
  readonly #settings: ProviderSettings;
  readonly #clientIds: readonly string[];
  readonly #redirectUri: string;
  readonly #now: () => number;
  #found: Promise<{ endpoints: ProviderEndpoints; keys: RemoteJWKSet }> | undefined;

  constructor(
    name: ProviderName,
    settings: ProviderSettings,
    options: { callbackUrl: string; now: () => number },
  ) {
    this.name = name;
    this.#settings = settings;
    this.#clientIds = settings.client_id.split(",").map((id) => id.trim());
    this.#redirectUri = settings.redirect_uri ?? options.callbackUrl;
    this.#now = options.now;
  }

  /** True when ID tokens of apps are taken without comparing a nonce, as the owner has set. */
  get skipsNonce(): boolean {
    return this.#settings.skip_nonce_check;
  }

  async #open() {
    const { url } = this.#settings;
    const endpoints = url === undefined ? providerKinds[this.name].endpoints : await discover(url);
    const keys = createRemoteJWKSet(new URL(endpoints.keys), {
      cacheMaxAge: keyCacheMs,
      cooldownDuration: keyCooldownMs,
      [customFetch]: async (address) => Response.json(await fetchProviderJson(address)),
    });
    return { endpoints, keys };
  }

  /** Addresses and keys; asked for again when the last attempt has failed. */
  async #reach() {
    this.#found ??= this.#open();
    try {
      return await this.#found;
    } catch (error) {
      this.#found = undefined;
      throw error;
    }
  }

  /**
   * Where the browser is sent to sign in.
   * @param query of the request; a few of its fields are passed on.
   * @throws {ProviderFailure} when a stand-in cannot be reached.
   */
  async authorizationUrl(
    state: string,
    verifier: string,
    query: Readonly<Record<string, string>>,
  ): Promise<string> {
    const kind = providerKinds[this.name];
    const { endpoints } = await this.#reach();
    const asked = kind.takesScopes ? (query["scopes"] ?? "").split(/[\s,]+/) : [];
    const scopes = asked.filter((scope) => scopePattern.test(scope)).slice(0, maxScopes);
    const target = new URL(endpoints.authorization);
    for (const name of passedOn) {
      const value = query[name];
      if (value !== undefined && value.length <= 255) target.searchParams.set(name, value);
    }
    const own = {
      client_id: this.#clientIds[0] ?? "",
      redirect_uri: this.#redirectUri,
      response_type: "code",
      scope: [...new Set([...kind.scopes, ...scopes])].join(" "),
      state,
      nonce: nonceOf(verifier),
      code_challenge: challengeOf(verifier),
      code_challenge_method: "S256",
      ...(kind.responseMode && { response_mode: kind.responseMode }),
    };
    for (const [name, value] of Object.entries(own)) target.searchParams.set(name, value);
    return target.href;
  }

  /**
   * Exchanges a code of the provider and checks the ID token it answers with.
   * @returns the verified claims.
   * @throws {ProviderFailure} when it refuses the code or cannot be reached, or the token is not the one asked for.
   */
  async exchangeCode(code: string, verifier: string): Promise<JWTPayload> {
    const { endpoints } = await this.#reach();
    const answer = await fetchProviderJson(endpoints.token, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        client_id: this.#clientIds[0] ?? "",
        client_secret: this.#settings.secret,
        redirect_uri: this.#redirectUri,
        code_verifier: verifier,
      }).toString(),
    });
    const { id_token: token } = answer;
    if (typeof token !== "string") throw new ProviderFailure("it gave no ID token");
    const [clientId = ""] = this.#clientIds;
    const claims = await this.#verify(token, [clientId], freshTokenAge);
    const party = claims["azp"];
    const isForUs = party === undefined ? [claims.aud].flat().length === 1 : party === clientId;
    if (!isForUs) throw new ProviderFailure("its ID token is for another client");
    const { nonce } = claims;
    if (typeof nonce !== "string" || !isEqualConstantTime(nonce, nonceOf(verifier))) {
      throw new ProviderFailure("its ID token answers another sign-in");
    }
    return claims;
  }

  /**
   * Checks an ID token that a client got by itself, such as an app.
   * @returns the verified claims; the nonce is not compared.
   * @throws {ProviderFailure} when it is not a valid token of the provider for one of our clients.
   */
  async verifyIdToken(token: string): Promise<JWTPayload> {
    return await this.#verify(token, this.#clientIds, undefined);
  }

  async #verify(
    token: string,
    audience: readonly string[],
    maxTokenAge: string | undefined,
  ): Promise<JWTPayload> {
    if (token.length > maxIdTokenLength) throw new ProviderFailure("its ID token is too long");
    const { endpoints, keys } = await this.#reach();
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms,
        issuer: [...endpoints.issuers],
        audience: [...audience],
        requiredClaims: ["sub", "exp", "iat"],
        clockTolerance: clockToleranceS,
        currentDate: new Date(this.#now()),
        ...(maxTokenAge !== undefined && { maxTokenAge }),
      });
      return payload;
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ProviderFailure(`its ID token is not valid: ${reason}`, undefined, error);
    }
  }
}
