import Bowser from "bowser";
import { sessionListStrings } from "../strings.ts";

/** Browser and system behind a user agent, such as `Firefox on Windows`. */
export function deviceName(userAgent: string): string {
  if (userAgent === "") return sessionListStrings.unknownDevice;
  const { browser, os } = Bowser.parse(userAgent);
  return sessionListStrings.device(browser.name, os.name);
}

/** True for a phone or a tablet. */
export function isHandheld(userAgent: string): boolean {
  if (userAgent === "") return false;
  const { type } = Bowser.parse(userAgent).platform;
  return type === "mobile" || type === "tablet";
}
