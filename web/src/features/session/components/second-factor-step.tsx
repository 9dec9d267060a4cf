import { lazy, Suspense, type ComponentProps } from "react";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { secondFactorStepStrings } from "../strings.ts";
import { AuthPage } from "./auth-page.tsx";

const SecondFactorPage = lazy(async () => ({
  default: (await import("../pages/second-factor-page.tsx")).SecondFactorPage,
}));

/** What stands in place of a sign-in page once the second factor is due. Most sign-ins need none, so its code comes with it. */
export function SecondFactorStep(props: ComponentProps<typeof SecondFactorPage>) {
  return (
    <Suspense
      fallback={
        <AuthPage title={secondFactorStepStrings.title}>
          <Loading label={secondFactorStepStrings.loading} className="grid gap-4">
            <Skeleton className="h-11" />
            <Skeleton className="h-12" />
          </Loading>
        </AuthPage>
      }
    >
      <SecondFactorPage {...props} />
    </Suspense>
  );
}
