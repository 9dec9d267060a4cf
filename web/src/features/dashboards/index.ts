export { AdminDashboard } from "./components/admin-dashboard.tsx";
export { MemberDashboard } from "./components/member-dashboard.tsx";
