// Google and Apple: their addresses, and what their ID tokens say of a person.

import { parseEmail } from "../routes/request-fields.ts";

/** The providers that can be turned on in `[auth.external]`. */
export const providerNames = ["google", "apple"] as const;
export type ProviderName = (typeof providerNames)[number];

/** Where a provider is reached. */
export interface ProviderEndpoints {
  /** The values of `iss` its tokens may have. */
  issuers: readonly string[];
  authorization: string;
  token: string;
  keys: string;
}

/** What differs between the providers. */
export interface ProviderKind {
  endpoints: ProviderEndpoints;
  scopes: readonly string[];
  /** True when a client may ask for further scopes. */
  takesScopes: boolean;
  /** Apple sends name and address only in a form, never in a URL. */
  responseMode?: "form_post";
}

/** Fixed here, not discovered: what they answer decides who is signed in. */
export const providerKinds: Readonly<Record<ProviderName, ProviderKind>> = {
  google: {
    endpoints: {
      issuers: ["https://accounts.google.com", "accounts.google.com"],
      authorization: "https://accounts.google.com/o/oauth2/v2/auth",
      token: "https://oauth2.googleapis.com/token",
      keys: "https://www.googleapis.com/oauth2/v3/certs",
    },
    scopes: ["openid", "email", "profile"],
    takesScopes: true,
  },
  apple: {
    endpoints: {
      issuers: ["https://appleid.apple.com", "https://account.apple.com"],
      authorization: "https://appleid.apple.com/auth/authorize",
      token: "https://appleid.apple.com/auth/token",
      keys: "https://appleid.apple.com/auth/keys",
    },
    scopes: ["email", "name"],
    takesScopes: false,
    responseMode: "form_post",
  },
};

/** True for the name of a provider, on or off. */
export function isProviderName(name: string): name is ProviderName {
  return (providerNames as readonly string[]).includes(name);
}

/** An account at a provider, from a verified ID token. */
export interface ProviderAccount {
  provider: ProviderName;
  /** The provider's own id of the account, which never changes. */
  subject: string;
  /** In lower case; undefined when the provider gives none that can be used. */
  email: string | undefined;
  /** True only when the provider says that the address was proved. */
  isEmailVerified: boolean;
  /** The column `identity_data`. */
  data: Record<string, unknown>;
}

const maxSubjectLength = 255;
const maxTextLength = 255;
const maxUrlLength = 1024;

function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !value.isWellFormed() || value.includes("\0")) return undefined;
  const text = value.trim().slice(0, maxTextLength);
  return text === "" ? undefined : text;
}

function pictureOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > maxUrlLength || !URL.canParse(value)) {
    return undefined;
  }
  return new URL(value).protocol === "https:" ? value : undefined;
}

function emailOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  try {
    return parseEmail(value);
  } catch {
    return undefined;
  }
}

/** Providers write truth as a boolean or as text. Nothing else counts as true. */
function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * The account that the claims of a verified ID token describe.
 * @param name as the provider gave it beside the token, as Apple does the first time.
 * @returns undefined when the token names no account.
 */
export function accountFromClaims(
  provider: ProviderName,
  claims: Readonly<Record<string, unknown>>,
  name?: string,
): ProviderAccount | undefined {
  const { sub: subject } = claims;
  if (typeof subject !== "string" || subject.length > maxSubjectLength) return undefined;
  if (textOf(subject) !== subject) return undefined;
  const email = emailOf(claims["email"]);
  const isEmailVerified = email !== undefined && isTrue(claims["email_verified"]);
  const fullName = textOf(name) ?? textOf(claims["name"]);
  const picture = pictureOf(claims["picture"]);
  const domain = textOf(claims["hd"]);
  const data = withoutUndefined({
    iss: claims["iss"],
    sub: subject,
    provider_id: subject,
    email,
    email_verified: isEmailVerified,
    phone_verified: false,
    name: fullName,
    full_name: fullName,
    picture,
    avatar_url: picture,
    custom_claims: domain === undefined ? undefined : { hd: domain },
  });
  return { provider, subject, email, isEmailVerified, data };
}

/** The name in the JSON that Apple sends once, when a person uses it here for the first time. */
export function nameFromAppleUser(json: string | undefined): string | undefined {
  if (json === undefined || json.length > 4096) return undefined;
  try {
    const user = JSON.parse(json) as { name?: { firstName?: unknown; lastName?: unknown } } | null;
    const parts = [textOf(user?.name?.firstName), textOf(user?.name?.lastName)];
    return textOf(parts.filter((part) => part !== undefined).join(" "));
  } catch {
    return undefined;
  }
}
