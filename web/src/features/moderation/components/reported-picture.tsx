import { BlobImage } from "@/ui/blob-image.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { useReportedPicture } from "../queries.ts";
import { reportQueueStrings } from "../strings.ts";

/** A reported picture, as it is kept until the decision. */
export function ReportedPicture({ name, alt }: { readonly name: string; readonly alt: string }) {
  const { data, isError } = useReportedPicture(name);
  return (
    <figure className="grid justify-items-start gap-1">
      {data ? (
        <BlobImage
          blob={data}
          alt={alt || reportQueueStrings.noDescription}
          className="max-h-72 max-w-full rounded-control border border-line"
        />
      ) : isError ? (
        <p role="alert" className="text-sm text-muted">
          {reportQueueStrings.pictureNotLoaded}
        </p>
      ) : (
        <Skeleton className="h-48 w-72 max-w-full" />
      )}
      {alt === "" ? null : (
        <figcaption dir="auto" className="text-sm break-words text-muted">
          {alt}
        </figcaption>
      )}
    </figure>
  );
}
