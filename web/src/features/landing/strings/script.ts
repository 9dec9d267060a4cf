/** What the page's script says. It stands alone, so that the script loads neither the copy of the page nor the brand. */
export const landingScriptStrings = { openDashboard: "Open dashboard" } as const;
