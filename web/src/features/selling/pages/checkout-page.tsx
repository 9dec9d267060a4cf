import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { withChosenCourse } from "@/domain/chosen-plan.ts";
import { formatPence } from "@/domain/brand.ts";
import { libraryPath } from "@/domain/library-paths.ts";
import { boughtCoursePath, paths, salePath } from "@/domain/paths.ts";
import { useClaimReferral } from "@/features/affiliates/index.ts";
import { AuthPage, useSession } from "@/features/session/index.ts";
import { paymentRefusalTexts, useSubscription } from "@/features/billing/index.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { toast } from "@/ui/toast.tsx";
import { useBackend } from "@/lib/backend.tsx";
import { requestCourse } from "../api/request-course.ts";
import { OneOffPayment } from "../components/course-payment.tsx";
import type { Sale } from "../model/sale.ts";
import { usePurchases, useRefetchSale, useSale } from "../queries.ts";
import {
  courseCheckoutStrings,
  laterRefundSentence,
  purchaseNote,
  sellingStrings,
  withdrawalDays,
} from "../strings.ts";

/** `/c/:slug/buy`: pays for a course. */
export function CheckoutPage() {
  const { slug = "" } = useParams();
  const { user, loading } = useSession();
  const { data, isError, isFetching, refetch } = useSale(slug);
  usePageDetail(data ? courseCheckoutStrings.pageTitle(data.title) : null);
  useClaimReferral();
  return (
    <AuthPage
      title={data ? data.title : courseCheckoutStrings.title}
      intro={data ? courseCheckoutStrings.intro(data.mentor) : undefined}
      footer={
        <>
          {user === null ? null : (
            <p className="min-w-0 break-words">{courseCheckoutStrings.signedInAs(user.email)}</p>
          )}
          <p>
            <TextLink to={salePath(slug)}>{courseCheckoutStrings.backToCourse}</TextLink>
          </p>
        </>
      }
    >
      {data ? (
        user === null && !loading ? (
          <AccountFirst slug={slug} />
        ) : (
          <Payment sale={data} />
        )
      ) : data === null ? (
        <Alert tone="info" title={sellingStrings.noSale}>
          {sellingStrings.noSaleHint}
        </Alert>
      ) : isError ? (
        <LoadFailed
          title={sellingStrings.saleFailed}
          reassurance={paymentRefusalTexts.notCharged}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <CheckoutSkeleton />
      )}
    </AuthPage>
  );
}

function CheckoutSkeleton() {
  return (
    <Loading label={sellingStrings.loadingCourse} className="grid gap-4">
      <Skeleton className="h-10 w-32" />
      <Skeleton className="h-11" />
      <Skeleton className="h-12" />
    </Loading>
  );
}

function AccountFirst({ slug }: { readonly slug: string }) {
  return (
    <>
      <p>{courseCheckoutStrings.accountFirst}</p>
      <Button asChild size="lg" wide>
        <Link to={withChosenCourse(paths.signUp, slug)}>{courseCheckoutStrings.createAccount}</Link>
      </Button>
      <Button asChild size="lg" wide variant="secondary">
        <Link to={withChosenCourse(paths.signIn, slug)}>{sellingStrings.signIn}</Link>
      </Button>
    </>
  );
}

function Payment({ sale }: { readonly sale: Sale }) {
  const navigate = useNavigate();
  const { client } = useBackend();
  const refetchSale = useRefetchSale(sale.slug);
  const purchases = usePurchases();
  const subscription = useSubscription();
  const [signedOut, setSignedOut] = useState(false);
  const ofSale = purchases.data?.filter(({ slug }) => slug === sale.slug) ?? [];
  const owned = ofSale.find(({ state }) => state === "paid");
  const disputed = ofSale.find(({ state }) => state === "disputed");
  if (signedOut) return <AccountFirst slug={sale.slug} />;
  if (subscription.active) {
    return (
      <>
        <Alert tone="good" title={courseCheckoutStrings.memberTitle}>
          {courseCheckoutStrings.member}
        </Alert>
        <Button asChild size="lg" wide>
          <Link to={libraryPath(sale.cover.category, "courses")}>
            {courseCheckoutStrings.toLibrary}
          </Link>
        </Button>
      </>
    );
  }
  if (owned !== undefined) {
    return (
      <>
        <Alert tone="good">{courseCheckoutStrings.bought}</Alert>
        <Button asChild size="lg" wide>
          <Link to={owned.courseId === null ? paths.yourCourses : boughtCoursePath(owned.courseId)}>
            {courseCheckoutStrings.read}
          </Link>
        </Button>
      </>
    );
  }
  if (disputed !== undefined) {
    return (
      <Alert tone="warn">
        {purchaseNote(disputed)}{" "}
        <TextLink to={paths.yourCourses}>{sellingStrings.yourCourses}</TextLink>
      </Alert>
    );
  }
  // Someone who may have it already is not asked to pay.
  const unknown = purchases.isLoadingError || subscription.status === "failed";
  if (unknown) {
    return (
      <LoadFailed
        title={sellingStrings.ownedFailed}
        reassurance={paymentRefusalTexts.notCharged}
        busy={purchases.isFetching}
        onRetry={() => {
          if (purchases.isLoadingError) void purchases.refetch();
          if (subscription.status === "failed") void subscription.refresh().catch(() => undefined);
        }}
      />
    );
  }
  if (purchases.isPending || subscription.status === "loading") return <CheckoutSkeleton />;
  return (
    <>
      <p>
        <span className="block text-sm text-muted">{courseCheckoutStrings.dueToday}</span>
        <span className="tabular text-2xl font-semibold">{formatPence(sale.pricePence)}</span>
      </p>
      <OneOffPayment
        amountPence={sale.pricePence}
        request={(paymentMethodId) => requestCourse(client, sale, paymentMethodId)}
        accepts={sellingStrings.payingAccepts}
        notBought={sellingStrings.notBought}
        onRefused={refetchSale}
        onPaid={() => {
          toast.good(courseCheckoutStrings.paid(sale.title));
          void navigate(paths.yourCourses);
        }}
        onSignedOut={() => setSignedOut(true)}
      />
      {/* The form has said the days that the law gives. */}
      {sale.refundDays > withdrawalDays ? (
        <p className="text-sm text-muted">{laterRefundSentence(sale.refundDays)}</p>
      ) : null}
    </>
  );
}
