// An OpenID Connect provider that signs anyone in as anyone: stands in for Google and Apple in tests and demos.

import { createHash, randomBytes } from "node:crypto";
import { Hono, type Context } from "hono";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from "jose";
import { chooserPage, formPostPage } from "./page.ts";

const codeLifetimeMs = 60_000;
const keyId = "stand-in";

/** The person who signs in at the stand-in. */
export interface StandInPerson {
  email: string;
  name?: string;
  isVerified?: boolean;
  /** The id of the account there; follows from the address unless given. */
  subject?: string;
}

/** What a test lets the stand-in do wrong. */
export interface Tampering {
  /** Replaces claims of the ID token; undefined takes one away. */
  claims?: Record<string, unknown>;
  /** Signs with another key, with the client's secret, or not at all. */
  signature?: "other-key" | "client-secret" | "none";
  /** What the token address answers instead. */
  tokenAnswer?: () => Response;
  /** Bytes by which the right answer is longer. */
  padding?: number;
  /** Sends on to another address, which gives the right answer. */
  isMoved?: boolean;
}

interface StandInOptions {
  /** Shown on its pages, and how its answers look: Apple sends a form. */
  provider: "google" | "apple";
  /** Its own address, without a slash at the end. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** A stand-in for a provider. */
export interface SignInStandIn {
  /** To be mounted at the path of the issuer. */
  app: Hono;
  /** In effect until it is set again. */
  tampering: Tampering;
  /** Signs an ID token for a person, as an app would get it. */
  idToken: (person: StandInPerson, nonce?: string) => Promise<string>;
}

interface Grant {
  person: StandInPerson;
  nonce: string | undefined;
  challenge: string | undefined;
  redirectUri: string;
  expiresAt: number;
}

const fieldNames = ["client_id", "redirect_uri", "state", "nonce", "code_challenge", "login_hint"];

function subjectOf({ email, subject }: StandInPerson): string {
  return subject ?? createHash("sha256").update(email.toLowerCase()).digest("hex").slice(0, 21);
}

function claimsFor(person: StandInPerson, nonce: string | undefined): JWTPayload {
  return {
    sub: subjectOf(person),
    email: person.email,
    email_verified: person.isVerified ?? true,
    ...(person.name !== undefined && { name: person.name }),
    ...(nonce !== undefined && { nonce }),
  };
}

async function signClaims(
  claims: JWTPayload,
  { signature }: Tampering,
  { key, secret }: { key: CryptoKey; secret: string },
): Promise<string> {
  if (signature === "none") {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${part({ alg: "none", kid: keyId })}.${part(claims)}.`;
  }
  const token = new SignJWT(claims);
  if (signature === "client-secret") {
    return await token.setProtectedHeader({ alg: "HS256", kid: keyId }).sign(Buffer.from(secret));
  }
  const other = signature === "other-key" ? (await generateKeyPair("RS256")).privateKey : key;
  return await token.setProtectedHeader({ alg: "RS256", kid: keyId }).sign(other);
}

/** Starts a stand-in with a key of its own. */
export async function createSignInStandIn(options: StandInOptions): Promise<SignInStandIn> {
  const { provider, issuer, clientId, clientSecret } = options;
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: keyId, alg: "RS256", use: "sig" };
  const grants = new Map<string, Grant>();
  const introduced = new Set<string>();
  const app = new Hono();

  const idToken = async (person: StandInPerson, nonce?: string) => {
    const now = Math.floor(Date.now() / 1000);
    const base = {
      ...claimsFor(person, nonce),
      iss: issuer,
      aud: clientId,
      iat: now,
      exp: now + 600,
    };
    const claims = { ...base, ...standIn.tampering.claims };
    return await signClaims(JSON.parse(JSON.stringify(claims)) as JWTPayload, standIn.tampering, {
      key: privateKey,
      secret: clientSecret,
    });
  };

  /** Leads back to the site, in the way the provider does. */
  const answer = (c: Context, redirectUri: string, fields: Record<string, string>) => {
    if (provider === "apple") {
      const nonce = randomBytes(12).toString("base64url");
      c.header(
        "content-security-policy",
        `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`,
      );
      return c.html(formPostPage(redirectUri, fields, nonce));
    }
    const target = new URL(redirectUri);
    for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value);
    return c.redirect(target.href, 303);
  };

  app.get("/.well-known/openid-configuration", (c) =>
    c.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }),
  );
  app.get("/keys", (c) => c.json({ keys: [jwk] }));

  app.get("/authorize", (c) => {
    if (c.req.query("client_id") !== clientId) return c.text("This client is not known.", 400);
    const request = Object.fromEntries(
      fieldNames.flatMap((name) => {
        const value = c.req.query(name);
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
    c.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
    return c.html(chooserPage(provider === "apple" ? "Apple" : "Google", request));
  });

  app.post("/authorize", async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const field = (name: string) => form.get(name) ?? undefined;
    const redirectUri = field("redirect_uri") ?? "";
    const state = field("state") ?? "";
    if (field("client_id") !== clientId || !URL.canParse(redirectUri)) {
      return c.text("This client is not known.", 400);
    }
    if (field("decision") !== "continue") {
      const error = provider === "apple" ? "user_cancelled_authorize" : "access_denied";
      return answer(c, redirectUri, { error, state });
    }
    const name = field("name") ?? "";
    // Apple's tokens have no name.
    const person = {
      email: field("email") ?? "",
      isVerified: form.has("verified"),
      ...(name !== "" && provider !== "apple" && { name }),
    };
    const code = randomBytes(24).toString("base64url");
    grants.set(code, {
      person,
      nonce: field("nonce"),
      challenge: field("code_challenge"),
      redirectUri,
      expiresAt: Date.now() + codeLifetimeMs,
    });
    const isFirst = !introduced.has(person.email);
    introduced.add(person.email);
    const [firstName, ...others] = name.split(" ");
    const user = JSON.stringify({
      name: { firstName, lastName: others.join(" ") },
      email: person.email,
    });
    const extra = provider === "apple" && isFirst ? { user } : {};
    return answer(c, redirectUri, { code, state, ...extra });
  });

  const answerToken = async (c: Context) => {
    const form = new URLSearchParams(await c.req.text());
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    const verifier = form.get("code_verifier") ?? "";
    const isRight =
      grant !== undefined &&
      grant.expiresAt > Date.now() &&
      form.get("client_id") === clientId &&
      form.get("client_secret") === clientSecret &&
      form.get("redirect_uri") === grant.redirectUri &&
      grant.challenge === createHash("sha256").update(verifier).digest("base64url");
    if (!isRight) return c.json({ error: "invalid_grant" }, 400);
    return c.json({
      access_token: randomBytes(16).toString("base64url"),
      token_type: "Bearer",
      expires_in: 600,
      id_token: await idToken(grant.person, grant.nonce),
      padding: "x".repeat(standIn.tampering.padding ?? 0),
    });
  };
  app.post("/token", async (c) => {
    const { tokenAnswer, isMoved } = standIn.tampering;
    if (tokenAnswer) return tokenAnswer();
    return isMoved ? c.redirect(`${issuer}/moved`, 307) : await answerToken(c);
  });
  app.post("/moved", answerToken);

  const standIn: SignInStandIn = { app, tampering: {}, idToken };
  return standIn;
}
