import { paths } from "@/domain/paths.ts";
import { chooseTarget, readCountdown } from "./model/countdown.ts";
import { hasStoredSession } from "@/lib/stored-session.ts";
import { landingScriptStrings } from "./strings/script.ts";

/** Everything the landing page does by script: the countdown, and a way home for members. */

function runCountdown(element: HTMLElement): void {
  const target = chooseTarget(localStorage, Date.now());
  const show = () => {
    element.textContent = readCountdown(localStorage, target, Date.now());
    if (Date.now() >= target) clearInterval(timer);
  };
  const timer = setInterval(show, 1000);
  show();
}

/** Links in e-mails may lead here when a backend only knows the front page. */
function forwardEmailLink(): void {
  const { hash, search } = window.location;
  if (!/access_token=|error_code=/.test(hash) && !/[?&]code=/.test(search)) return;
  const page = hash.includes("type=recovery") ? paths.updatePassword : paths.auth;
  window.location.replace(page + search + hash);
}

forwardEmailLink();
try {
  document.querySelectorAll<HTMLElement>("[data-countdown]").forEach(runCountdown);
  const link = document.querySelector<HTMLAnchorElement>("[data-session-link]");
  if (link && hasStoredSession(localStorage)) {
    link.href = paths.dashboard;
    link.textContent = landingScriptStrings.openDashboard;
  }
} catch {
  // Storage is blocked: the page stands without it.
}
