/** They draw the bar of a window that nobody sees, in a process of its own for each window: a fifth of the processor time. */
const featuresOfTheWindow = [
  "InitialWebUI",
  "WebUIReloadButton",
  "WebUITabStrip",
  "WebUIToolbar",
  "WebUILocationBar",
];

/** What Playwright turns off in Chromium. Of two lists the last one alone counts, so ours has to hold its names. */
export const featuresOffInPlaywright: readonly string[] = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "msForceBrowserSignIn",
  "msEdgeUpdateLaunchServicesPreferredVersion",
];

/** Argument that turns off what the browser tests have no use for. */
export const featuresOff = `--disable-features=${[...featuresOffInPlaywright, ...featuresOfTheWindow].join(",")}`;
