import { Suspense } from "react";
import { AdminDashboard } from "@/features/dashboards/public.ts";
import { ReviewQueue } from "@/features/verification/public.ts";
import { Skeleton } from "@/ui/skeleton.tsx";

export default function AdminDashboardRoute() {
  return (
    <AdminDashboard
      review={
        <Suspense fallback={<Skeleton className="h-48 rounded-card" />}>
          <ReviewQueue />
        </Suspense>
      }
    />
  );
}
