import { ModerationQueue } from "@/features/chat/public.ts";
import { AdminDashboard } from "@/features/dashboards/public.ts";
import { ReviewQueue } from "@/features/verification/public.ts";

export default function AdminDashboardRoute() {
  return (
    <AdminDashboard
      review={
        <>
          <ReviewQueue />
          <ModerationQueue />
        </>
      }
    />
  );
}
