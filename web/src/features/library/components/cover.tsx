import { useBackend } from "@/lib/backend.tsx";
import { contentPictureUrl } from "@/lib/content-picture-url.ts";
import { classNames } from "@/ui/class-names.ts";
import { ownFileUrl } from "../model/safe-urls.ts";
import { CoverArt, type CoverArtProps } from "./cover-art.tsx";

export interface CoverProps extends CoverArtProps {
  /** The item's own image. Anything but a file of this site is ignored. */
  readonly imageUrl: string | null;
}

/** The picture of an article or a course: its own when it has one, else a drawn one. */
export function Cover(props: CoverProps) {
  const { client, config } = useBackend();
  const origins = [window.location.origin, config.backend?.supabaseUrl ?? ""];
  const imageUrl = contentPictureUrl(client, props.imageUrl) ?? props.imageUrl;
  return <CoverPicture {...props} imageUrl={imageUrl} origins={origins} />;
}

/** The same where there is no window: `origins` are those of this site and its backend. */
export function CoverPicture({
  imageUrl,
  origins,
  className,
  ...art
}: CoverProps & { readonly origins: readonly string[] }) {
  const url = ownFileUrl(imageUrl, origins);
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
