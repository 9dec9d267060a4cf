import type { RouteObject } from "react-router";
import { paths } from "@/domain/paths.ts";
import { page } from "./page.ts";

/** The console: pages for administrators. */
export const adminRoutes: RouteObject[] = [
  page(
    paths.adminDashboard,
    "Console",
    async () => (await import("@/features/dashboards/pages/admin-dashboard.tsx")).AdminDashboard,
  ),
  page(
    paths.adminQueues,
    "Queues",
    async () => (await import("./admin-queues-page.tsx")).AdminQueuesPage,
  ),
  page(
    paths.adminMembers,
    "Members",
    async () => (await import("@/features/admin-members/pages/members-page.tsx")).MembersPage,
  ),
  page(
    paths.adminAudit,
    "Audit log",
    async () => (await import("@/features/admin-audit/pages/audit-page.tsx")).AuditPage,
  ),
  page(
    paths.adminContent,
    "Content",
    async () => (await import("@/features/admin-content/pages/content-page.tsx")).ContentPage,
  ),
  page(
    paths.adminSettings,
    "Settings",
    async () => (await import("@/features/admin-settings/pages/settings-page.tsx")).SettingsPage,
  ),
  page(
    paths.adminMoney,
    "Money",
    async () => (await import("@/features/admin-money/pages/money-page.tsx")).MoneyPage,
  ),
];
