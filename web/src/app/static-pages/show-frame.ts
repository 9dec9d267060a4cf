import { applyAppearance, readAppearance } from "@/lib/appearance-choice.ts";
import { readRememberedRole } from "@/lib/remembered-role.ts";
import { hasStoredSession } from "@/lib/stored-session.ts";

/**
 * The few lines of script that run before a document of the app is drawn for the first time: it gets the theme that the
 * member chose, and, where this browser holds a session, the frame of its member's role in place of the sign that something
 * is loading. A visitor's page never shows it.
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
const frames = templates.filter(({ dataset }) =>
  new RegExp(dataset["frameAt"] ?? "^$").test(location.pathname),
);
const role = readRememberedRole();
// Without one of their own they are about to be led elsewhere.
const frame = role === null ? frames[0] : frames.find(({ dataset }) => dataset["frameOf"] === role);
const loading = document.querySelector<HTMLElement>("[data-loading-page]");
if (frame !== undefined && loading !== null && isMember()) {
  loading.className = "";
  for (const child of loading.children) {
    if (child instanceof HTMLElement) child.className = "sr-only";
    else child.remove();
  }
  loading.append(frame.content);
}
