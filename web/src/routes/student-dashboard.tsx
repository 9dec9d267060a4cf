import { MemberDashboard } from "@/features/dashboards/public.ts";

export default function StudentDashboardRoute() {
  return <MemberDashboard role="student" />;
}
