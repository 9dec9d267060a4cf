import { MemberDashboard } from "@/features/dashboards/public.ts";

export default function MentorDashboardRoute() {
  return <MemberDashboard role="mentor" />;
}
