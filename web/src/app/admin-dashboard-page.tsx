import { ModerationQueue } from "@/features/chat/index.ts";
import { AdminDashboard } from "@/features/dashboards/pages/admin-dashboard.tsx";
import { FlaggedQueue, ReviewQueue } from "@/features/verification/index.ts";

/** `/admindash` with the queues of two features, neither of which knows the other. */
export function AdminDashboardPage() {
  return (
    <AdminDashboard
      review={
        <>
          <ReviewQueue />
          <FlaggedQueue />
          <ModerationQueue />
        </>
      }
    />
  );
}
