import { uploadedFilm, type UploadedFilm } from "@/domain/course-films.ts";
import { ownFileUrl } from "./safe-urls.ts";

/** A video that may be shown: embedded from an allowed host, a file of this site, or uploaded in the studio. */
export type Video =
  | { readonly kind: "embed"; readonly host: "YouTube" | "Vimeo"; readonly src: string }
  | { readonly kind: "file"; readonly src: string; readonly captions: string }
  | ({ readonly kind: "uploaded" } & UploadedFilm);

const youtubeHosts = [
  "www.youtube.com",
  "youtube.com",
  "m.youtube.com",
  "youtu.be",
  "www.youtube-nocookie.com",
];
const vimeoHosts = ["vimeo.com", "www.vimeo.com", "player.vimeo.com"];

/**
 * Reads the address of a module's film. Hosts that are not on the list give null, and those on it
 * are led to the player that sets no cookies. Captions of a file lie beside it as `.vtt`.
 */
export function toVideo(address: string | null, origins: readonly string[]): Video | null {
  const uploaded = uploadedFilm(address);
  if (uploaded !== null) return { kind: "uploaded", ...uploaded };
  const file = ownFileUrl(address, origins);
  if (file !== null) {
    const path = file.split(/[?#]/, 1)[0] ?? "";
    if (!/\.(mp4|webm)$/i.test(path)) return null;
    return { kind: "file", src: file, captions: path.replace(/\.(mp4|webm)$/i, ".vtt") };
  }
  if (address === null || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== "https:") return null;
  if (youtubeHosts.includes(url.hostname)) {
    const id = url.searchParams.get("v") ?? url.pathname.split("/").at(-1) ?? "";
    if (!/^[\w-]{11}$/.test(id)) return null;
    const src = `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&cc_load_policy=1`;
    return { kind: "embed", host: "YouTube", src };
  }
  if (vimeoHosts.includes(url.hostname)) {
    const id = /\/(\d{5,12})$/.exec(url.pathname)?.[1];
    if (id === undefined) return null;
    return {
      kind: "embed",
      host: "Vimeo",
      src: `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
    };
  }
  return null;
}
