import { lazy, Suspense } from "react";
import type { Category } from "@/domain/categories.ts";

// Only the end of a course needs it, and it brings what the library's own pages are made of.
const NextStepInLevel = lazy(() => import("./next-step-in-level.tsx"));

/** The next course or article of a level, once its code has come; nothing when all are done. */
export function NextInLevel({ category }: { readonly category: Category }) {
  return (
    <Suspense fallback={null}>
      <NextStepInLevel category={category} />
    </Suspense>
  );
}
