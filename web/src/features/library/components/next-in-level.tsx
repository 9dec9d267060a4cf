import { lazy, Suspense } from "react";
import type { Category } from "@/domain/categories.ts";
import { Skeleton } from "@/ui/skeleton.tsx";

// Only the end of a course needs it, and it brings what the library's own pages are made of.
const NextStepInLevel = lazy(() => import("./next-step-in-level.tsx"));

/** The next course or article of a level; nothing when all are done. */
export function NextInLevel({ category }: { readonly category: Category }) {
  return (
    <Suspense fallback={<Skeleton className="h-24 rounded-card" />}>
      <NextStepInLevel category={category} />
    </Suspense>
  );
}
