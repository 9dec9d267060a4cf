import { MemberDashboard } from "@/features/dashboards/index.ts";

export default function MentorDashboardRoute() {
  return <MemberDashboard role="mentor" />;
}
