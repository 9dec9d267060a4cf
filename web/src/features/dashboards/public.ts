import { lazy } from "react";

/* Fetched when they are shown. */
export const MemberDashboard = lazy(async () => ({
  default: (await import("./components/member-dashboard.tsx")).MemberDashboard,
}));
export const AdminDashboard = lazy(async () => ({
  default: (await import("./components/admin-dashboard.tsx")).AdminDashboard,
}));
