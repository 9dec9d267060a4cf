import { ModerationQueue } from "@/features/chat/index.ts";
import { AdminDashboard } from "@/features/dashboards/index.ts";
import { ReviewQueue } from "@/features/verification/index.ts";

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
