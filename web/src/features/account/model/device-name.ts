import Bowser from "bowser";

/** Browser and system behind a user agent, such as `Firefox on Windows`. */
export function deviceName(userAgent: string): string {
  if (userAgent === "") return "Unknown device";
  const { browser, os } = Bowser.parse(userAgent);
  const system = os.name === undefined ? "" : ` on ${os.name}`;
  if (browser.name === undefined || browser.name === "") return `Unknown browser${system}`;
  return `${browser.name}${system}`;
}

/** True for a phone or a tablet. */
export function isHandheld(userAgent: string): boolean {
  if (userAgent === "") return false;
  const { type } = Bowser.parse(userAgent).platform;
  return type === "mobile" || type === "tablet";
}
