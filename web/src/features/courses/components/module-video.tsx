import { CirclePlay } from "lucide-react";
import { useState } from "react";
import { toVideo, type Video } from "@/features/library/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { filmStrings } from "../strings.ts";
import { FilmPlayer, UploadedFilmPlayer } from "./film-player.tsx";

/** The video of a module. Nothing is loaded from another site before the member asks for it. */
export function ModuleVideo({
  address,
  title,
}: {
  readonly address: string;
  readonly title: string;
}) {
  const { config } = useBackend();
  const video = toVideo(address, [window.location.origin, config.backend?.supabaseUrl ?? ""]);
  if (video === null) {
    return (
      <p className="rounded-card border border-dashed border-line p-4 text-sm text-muted">
        {filmStrings.refused}
      </p>
    );
  }
  if (video.kind === "embed") return <Embedded video={video} title={title} />;
  if (video.kind === "uploaded") return <UploadedFilmPlayer film={video} title={title} />;
  return <FilmPlayer src={video.src} captions={video.captions} title={title} />;
}

function Embedded({
  video,
  title,
}: {
  readonly video: Extract<Video, { kind: "embed" }>;
  readonly title: string;
}) {
  const [asked, setAsked] = useState(false);
  if (asked) {
    return (
      <iframe
        title={filmStrings.label(title)}
        src={video.src}
        // oxlint-disable-next-line react/iframe-missing-sandbox -- Never of our origin: the player may be itself, the page and the tab are out of its reach.
        sandbox="allow-scripts allow-same-origin allow-presentation"
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        referrerPolicy="strict-origin-when-cross-origin"
        className="aspect-video w-full rounded-card border-0 bg-sunken"
      />
    );
  }
  return (
    <button
      type="button"
      onClick={() => setAsked(true)}
      className="wash grid aspect-video w-full content-center justify-items-center gap-3 rounded-card border border-line p-6 text-center transition-colors hover:border-control-line print:hidden"
    >
      <CirclePlay aria-hidden className="size-12 text-accent" strokeWidth={1.4} />
      <span className="font-medium">{filmStrings.play}</span>
      <span className="text-sm text-muted">{filmStrings.playText(video.host)}</span>
    </button>
  );
}
