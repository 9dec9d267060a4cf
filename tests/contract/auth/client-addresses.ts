let addresses = 0;

/** Request headers for a client address that no other test uses, as set by the trusted proxy. */
export function newClientAddress(): Record<string, string> {
  addresses += 1;
  return {
    "x-forwarded-for": `198.51.100.7, 203.0.${Math.floor(addresses / 250)}.${addresses % 250}`,
  };
}

/** The cookies a response set, as headers of the next request. */
export function cookiesOf(headers: Headers): Record<string, string> {
  const cookie = headers.getSetCookie().map((set) => set.split(";")[0] ?? "");
  return cookie.length === 0 ? {} : { cookie: cookie.join("; ") };
}
