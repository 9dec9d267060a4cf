import { useState } from "react";
import type { UploadedFilm } from "@/domain/course-films.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { useFilmLinks } from "../queries.ts";
import { filmStrings } from "../strings.ts";

/** A link that fails so soon after it was signed has not expired: the film itself can't be played. */
const freshMs = 60_000;

/** Where a film stands. */
interface FilmPosition {
  readonly seconds: number;
  readonly isPlaying: boolean;
}

const beginning: FilmPosition = { seconds: 0, isPlaying: false };

interface FilmPlayerProps {
  readonly src: string;
  readonly captions: string;
  readonly title: string;
  /** Where it begins. */
  readonly from?: FilmPosition;
  readonly onFailed?: (reached: FilmPosition) => void;
}

/** A film with its captions shown. */
export function FilmPlayer({ src, captions, title, from = beginning, onFailed }: FilmPlayerProps) {
  return (
    <video
      controls
      preload="metadata"
      crossOrigin="anonymous"
      aria-label={filmStrings.label(title)}
      className="aspect-video w-full rounded-card bg-sunken print:hidden"
      src={src}
      onLoadedMetadata={({ currentTarget }) => {
        if (from.seconds > 0) currentTarget.currentTime = from.seconds;
        // Where the browser refuses, the member presses play.
        if (from.isPlaying) currentTarget.play().catch(() => undefined);
      }}
      onError={({ currentTarget }) => {
        const { currentTime, paused } = currentTarget;
        onFailed?.({ seconds: currentTime, isPlaying: !paused });
      }}
    >
      <track default kind="captions" srcLang="en" label={filmStrings.captions} src={captions} />
    </video>
  );
}

/**
 * A film that was uploaded in the studio. Its link is signed for the member, and again when it has expired or was refused;
 * the film then goes on where it was.
 */
export function UploadedFilmPlayer({
  film,
  title,
}: {
  readonly film: UploadedFilm;
  readonly title: string;
}) {
  const { data, isError, isFetching, refetch, dataUpdatedAt } = useFilmLinks(film);
  const [isBroken, setBroken] = useState(false);
  /** When the link expired. */
  const [reached, setReached] = useState(beginning);
  if (isBroken || isError) {
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
      from={reached}
      onFailed={(position) => {
        // A film that fails before it is loaded again stands at 0.
        if (position.seconds > 0) setReached(position);
        if (Date.now() - dataUpdatedAt < freshMs) setBroken(true);
        else void refetch();
      }}
    />
  );
}
