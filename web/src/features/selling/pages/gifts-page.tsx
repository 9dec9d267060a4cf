import { paths } from "@/domain/paths.ts";
import { useIsInHouse } from "@/lib/members-house.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { BuyGift } from "../components/buy-gift.tsx";
import { GiftList } from "../components/gift-list.tsx";
import { PublicPage } from "../components/public-page.tsx";
import { RedeemGift } from "../components/redeem-gift.tsx";
import { giftStrings, yourCoursesStrings } from "../strings.ts";
import { useGifts } from "../queries.ts";

/** `/gifts`: redeems a gift code, sells gift memberships, and lists those one gave. */
export function GiftsPage() {
  const { data, isError, isFetching, refetch } = useGifts();
  const isInHouse = useIsInHouse();
  return (
    <PublicPage>
      <div className="grid grid-cols-1 gap-6">
        <PageHeader className="pb-0" title={giftStrings.title} intro={giftStrings.intro} />
        <RedeemGift />
        {data ? (
          <>
            <BuyGift offers={data.offers} />
            <GiftList gifts={data.gifts} />
          </>
        ) : isError ? (
          <LoadFailed
            title={giftStrings.loadFailed}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <Loading label={giftStrings.loading} className="grid gap-4">
            <Skeleton className="h-64 rounded-card" />
          </Loading>
        )}
        {isInHouse ? null : (
          <p className="text-sm">
            <TextLink to={paths.dashboard}>{yourCoursesStrings.toMembership}</TextLink>
          </p>
        )}
      </div>
    </PublicPage>
  );
}
