import { useState } from "react";
import type { UploadedFilm } from "@/domain/course-films.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { useFilmLinks } from "../queries.ts";
import { filmStrings } from "../strings.ts";

/** A link that fails so soon after it was signed has not expired: the film itself can't be played. */
const freshMs = 60_000;

interface FilmPlayerProps {
  readonly src: string;
  readonly captions: string;
  readonly title: string;
  /** Where it begins, in seconds. */
  readonly startAt?: number;
  readonly onFailed?: (reachedSeconds: number) => void;
}

/** A film with its captions shown. */
export function FilmPlayer({ src, captions, title, startAt = 0, onFailed }: FilmPlayerProps) {
  return (
    <video
      controls
      preload="metadata"
      crossOrigin="anonymous"
      aria-label={filmStrings.label(title)}
      className="aspect-video w-full rounded-card bg-sunken print:hidden"
      src={src}
      onLoadedMetadata={({ currentTarget }) => {
        if (startAt > 0) currentTarget.currentTime = startAt;
      }}
      onError={({ currentTarget }) => onFailed?.(currentTarget.currentTime)}
    >
      <track default kind="captions" srcLang="en" label={filmStrings.captions} src={captions} />
    </video>
  );
}

/** A film that was uploaded in the studio. Its link is signed for the member, and again when it has expired. */
export function UploadedFilmPlayer({
  film,
  title,
}: {
  readonly film: UploadedFilm;
  readonly title: string;
}) {
  const { data, isError, isFetching, refetch, dataUpdatedAt } = useFilmLinks(film);
  const [isBroken, setBroken] = useState(false);
  /** Seconds, when the link expired. */
  const [reached, setReached] = useState(0);
  if (isBroken || (isError && data === undefined)) {
    return (
      <LoadFailed
        title={filmStrings.loadFailed}
        busy={isFetching}
        onRetry={() => {
          setBroken(false);
          void refetch();
        }}
      />
    );
  }
  if (data === undefined) {
    return (
      <Loading label={filmStrings.loading}>
        <Skeleton className="aspect-video w-full rounded-card" />
      </Loading>
    );
  }
  return (
    <FilmPlayer
      src={data.src}
      captions={data.captions}
      title={title}
      startAt={reached}
      onFailed={(seconds) => {
        setReached(seconds);
        if (Date.now() - dataUpdatedAt < freshMs) setBroken(true);
        else void refetch();
      }}
    />
  );
}
