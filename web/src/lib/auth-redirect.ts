import { paths } from "@/domain/paths.ts";

/** What became of the link from an e-mail, or of the sign-in at a provider, that led here. */
export type LinkOutcome =
  /** It began a session: this browser had asked for it. */
  | "signed-in"
  /** It did its work, but it was asked for in another browser, so it begins no session in this one. */
  | "other-browser"
  /** Of two addresses that have to agree, one has. */
  | "awaiting-other-inbox"
  /** It was used before, or is too old. */
  | "expired"
  /** At a provider: the member turned back there. */
  | "provider-cancelled"
  /** The provider has not proved the address. */
  | "provider-unverified"
  | "provider-failed"
  | "sign-up-closed"
  | "suspended"
  | "failed";

/** What a link from an e-mail brought along in the address. */
export interface AuthRedirectParams {
  /** Null when the visit did not begin with such a link. */
  readonly link: { readonly outcome: LinkOutcome; readonly pathname: string } | null;
}

/** Everything that links put into the address, for this app or against it. */
const authParams = [
  "access_token",
  "code",
  "error",
  "error_code",
  "error_description",
  "message",
  "refresh_token",
  "sb_flow_id",
  "token_hash",
] as const;

type Address = Pick<Location, "hash" | "pathname" | "search">;

/**
 * What is taken out of the query. The page of a link keeps its token until its button is pressed: until then the token
 * is not used up, and the page can be loaded again.
 */
function queryParamsOf(pathname: string): readonly string[] {
  return pathname === paths.confirm
    ? authParams.filter((name) => name !== "token_hash")
    : authParams;
}

function paramsOf({ hash, pathname, search }: Address) {
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.replace(/^#/, ""));
  const inFragment = authParams.some((name) => fragment.has(name));
  return {
    get: (name: string) => query.get(name) ?? fragment.get(name),
    inFragment,
    present: inFragment || queryParamsOf(pathname).some((name) => query.has(name)),
  };
}

/**
 * Lets the client exchange a code this browser asked for, then takes everything of the link out of the address,
 * so that nothing of it is reloaded, bookmarked or passed on. A session that stands in the address is never taken:
 * anybody can make such a link. Nor is any text from the address shown.
 * @param initialize resolves when the client has looked at the address.
 */
export async function consumeAuthRedirect(
  initialize: () => Promise<unknown>,
  window: {
    readonly location: Address;
    readonly history: Pick<History, "state" | "replaceState">;
  },
): Promise<AuthRedirectParams> {
  const { pathname } = window.location;
  const before = paramsOf(window.location);
  if (!before.present) return { link: null };
  await initialize();
  // The client removes a code when it has exchanged it.
  const redeemed = before.get("code") !== null && paramsOf(window.location).get("code") === null;
  const query = new URLSearchParams(window.location.search);
  for (const name of queryParamsOf(pathname)) query.delete(name);
  const search = query.size > 0 ? `?${query.toString()}` : "";
  const hash = before.inFragment ? "" : window.location.hash;
  window.history.replaceState(window.history.state, "", pathname + search + hash);
  return { link: { outcome: outcomeOf(before.get, redeemed), pathname } };
}

const outcomesByCode: Readonly<Record<string, LinkOutcome>> = {
  otp_expired: "expired",
  flow_state_not_found: "expired",
  provider_email_needs_verification: "provider-unverified",
  bad_oauth_callback: "provider-failed",
  bad_oauth_state: "provider-failed",
  flow_state_already_used: "provider-failed",
  oauth_provider_not_supported: "provider-failed",
  unexpected_failure: "provider-failed",
  signup_disabled: "sign-up-closed",
  user_banned: "suspended",
};

function outcomeOf(get: (name: string) => string | null, redeemed: boolean): LinkOutcome {
  if (redeemed) return "signed-in";
  const code = get("error_code");
  const known = code === null ? undefined : outcomesByCode[code];
  if (known !== undefined) return known;
  if (code === null && get("error") === "access_denied") return "provider-cancelled";
  if (code !== null || get("error") !== null || get("error_description") !== null) return "failed";
  return get("message") === null ? "other-browser" : "awaiting-other-inbox";
}
