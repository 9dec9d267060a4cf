import type { RouteObject } from "react-router";
import { paths } from "@/domain/paths.ts";
import { page } from "./page.ts";

/** The console: pages for administrators, each a tab of `AdminLayout`. */
export const adminRoutes: RouteObject = {
  lazy: async () => ({ Component: (await import("./admin-layout.tsx")).AdminLayout }),
  children: [
    page(
      paths.adminDashboard,
      "Home",
      async () => (await import("./admin-dashboard-page.tsx")).AdminDashboardPage,
    ),
    page(
      paths.adminMoney,
      "Money",
      async () => (await import("@/features/admin-money/pages/money-page.tsx")).MoneyPage,
    ),
  ],
};
