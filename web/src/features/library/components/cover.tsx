import { useBackend } from "@/lib/backend.tsx";
import { classNames } from "@/ui/class-names.ts";
import { ownFileUrl } from "../model/safe-urls.ts";
import { CoverArt, type CoverArtProps } from "./cover-art.tsx";

export interface CoverProps extends CoverArtProps {
  /** The item's own image. Anything but a file of this site is ignored. */
  readonly imageUrl: string | null;
}

/** The picture of an article or a course: its own when it has one, else a drawn one. */
export function Cover({ imageUrl, className, ...art }: CoverProps) {
  const { config } = useBackend();
  const url = ownFileUrl(imageUrl, [window.location.origin, config.backend?.supabaseUrl ?? ""]);
  if (url === null) return <CoverArt {...art} className={className} />;
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      className={classNames("wash block w-full object-cover", className)}
    />
  );
}
