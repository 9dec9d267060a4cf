import { applyAppearance, readAppearance } from "@/lib/appearance-choice.ts";
import { hasStoredSession } from "@/lib/stored-session.ts";

/**
 * The few lines of script that run before a document of the app is drawn for the first time: it gets the theme that the
 * member chose, and, where this browser holds a session, the members' frame in place of the sign that something is
 * loading. A visitor's page never shows it.
 */

function isMember(): boolean {
  try {
    return hasStoredSession(localStorage);
  } catch {
    // Storage is blocked, and so there is no session that lasts.
    return false;
  }
}

applyAppearance(readAppearance());
const templates = [...document.querySelectorAll<HTMLTemplateElement>("template[data-frame-at]")];
const frame = templates.find(({ dataset }) =>
  new RegExp(dataset["frameAt"] ?? "^$").test(location.pathname),
);
const loading = document.querySelector<HTMLElement>("[data-loading-page]");
if (frame !== undefined && loading !== null && isMember()) {
  loading.className = "";
  for (const child of loading.children) {
    if (child instanceof HTMLElement) child.className = "sr-only";
    else child.remove();
  }
  loading.append(frame.content);
}
