import { useState } from "react";
import { Link } from "react-router";
import { salePath } from "@/domain/paths.ts";
import { exactTime } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { allowCourseSale, endCourseSale } from "../api/course-sales.ts";
import { useContentSale } from "../queries.ts";
import { saleStrings } from "../strings.ts";
import { SaleActionForm } from "./sale-action-form.tsx";

/** Whether a course is on sale, and the acts that end the sale and allow it again. Nothing for one that was never offered. */
export function CourseSale({
  courseId,
  title,
}: {
  readonly courseId: string;
  readonly title: string;
}) {
  const { data: sale, isError, isFetching, refetch } = useContentSale(courseId);
  const [asking, setAsking] = useState(false);
  if (sale === undefined && isError) {
    return (
      <LoadFailed title={saleStrings.loadFailed} busy={isFetching} onRetry={() => void refetch()} />
    );
  }
  if (!sale) return null;
  const act = sale.ended === null ? saleStrings.end : saleStrings.allow;
  return (
    <section aria-labelledby="course-sale" className="grid gap-3 border-t border-line pt-5">
      <h3 id="course-sale" className="font-semibold">
        {saleStrings.heading}
      </h3>
      {sale.ended === null ? (
        <p className="text-sm">
          {sale.isOpen ? (
            <>
              {saleStrings.open}{" "}
              <Link to={salePath(sale.slug)} className="underline underline-offset-4">
                {salePath(sale.slug)}
              </Link>
            </>
          ) : sale.isOnSale ? (
            saleStrings.paused
          ) : (
            saleStrings.off
          )}
        </p>
      ) : (
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
          <dt className="text-muted">{saleStrings.endedAt}</dt>
          <dd>{exactTime(sale.ended.at)}</dd>
          <dt className="text-muted">{saleStrings.reason}</dt>
          <dd className="wrap-anywhere">{sale.ended.reason}</dd>
        </dl>
      )}
      <Button variant="secondary" className="justify-self-start" onClick={() => setAsking(true)}>
        {act.button}
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={act.question(title)}
        description={act.description}
      >
        <SaleActionForm
          confirmLabel={act.button}
          reasonHint={act.reasonHint}
          danger={sale.ended === null}
          doneText={act.done(title)}
          act={(client, reason) =>
            sale.ended === null
              ? endCourseSale(client, courseId, reason)
              : allowCourseSale(client, courseId, reason)
          }
          onClose={() => setAsking(false)}
        />
      </Dialog>
    </section>
  );
}
