import { useParams } from "react-router";
import { Cover, ReadingText } from "@/features/library/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { PublicPage } from "../components/public-page.tsx";
import { NoSale, SaleBody, saleCoverSize } from "../components/sale-body.tsx";
import { useSale } from "../queries.ts";
import { sellingStrings } from "../strings.ts";

/**
 * `/c/:slug` within the app, and where no server renders it: the same page as `render-sale.tsx` makes for visitors.
 */
export function SalePage() {
  const { client } = useBackend();
  const { slug = "" } = useParams();
  const { data, isError, isFetching, refetch } = useSale(slug);
  usePageDetail(data?.title ?? null);
  return (
    <PublicPage>
      {data ? (
        <SaleBody
          sale={data}
          cover={<Cover {...data.cover} className={saleCoverSize(data)} />}
          portrait={profilePictureUrl(client, data.mentorPicture)}
          lesson={<ReadingText markdown={data.freeLesson?.content ?? ""} />}
        />
      ) : data === null ? (
        <NoSale />
      ) : isError ? (
        <LoadFailed
          title={sellingStrings.saleFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={sellingStrings.loadingCourse} className="grid gap-6">
          <Skeleton className="h-12 w-4/5" />
          <Skeleton className="h-64 rounded-card" />
        </Loading>
      )}
    </PublicPage>
  );
}
