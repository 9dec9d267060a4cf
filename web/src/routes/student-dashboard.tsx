import { MemberDashboard } from "@/features/dashboards/index.ts";

export default function StudentDashboardRoute() {
  return <MemberDashboard role="student" />;
}
