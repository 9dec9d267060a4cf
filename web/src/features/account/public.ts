import { lazy } from "react";

/* Fetched when it is shown. */
export const AccountPage = lazy(async () => ({
  default: (await import("./components/account-page.tsx")).AccountPage,
}));
