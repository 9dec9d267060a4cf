import { contentPictureName } from "@/domain/content-pictures.ts";
import type { DraftContent } from "../model/draft.ts";
import { versionLineStrings } from "../strings/actions.ts";

/** A version as lines of text: its metadata, then its Markdown. */
export function toLines(content: DraftContent): readonly string[] {
  const { title, excerpt, slug, tags, modules, cover } = content;
  return [
    versionLineStrings.title(title),
    versionLineStrings.excerpt(excerpt),
    versionLineStrings.address(slug),
    versionLineStrings.cover(contentPictureName(cover)),
    ...(modules.length === 0
      ? [versionLineStrings.tags(tags.join(", ")), "", ...content.content.split("\n")]
      : []),
    ...modules.flatMap((module, index) => [
      "",
      versionLineStrings.module(index + 1, module.title),
      ...(module.videoUrl === null ? [] : [versionLineStrings.video(module.videoUrl)]),
      ...module.content.split("\n"),
    ]),
  ];
}
