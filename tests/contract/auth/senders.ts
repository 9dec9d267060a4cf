let senders = 0;

/** Headers of a sender no other test has, seen through the proxy the host believes. */
export function newSender(): Record<string, string> {
  senders += 1;
  return { "x-forwarded-for": `198.51.100.7, 203.0.${Math.floor(senders / 250)}.${senders % 250}` };
}

/** A browser's cookies: what an answer set, as the next request shows it. */
export function cookiesOf(headers: Headers): Record<string, string> {
  const cookie = headers.getSetCookie().map((set) => set.split(";")[0] ?? "");
  return cookie.length === 0 ? {} : { cookie: cookie.join("; ") };
}
