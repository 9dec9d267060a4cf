/** Captions of an hour are about 100 KB. */
export const maxCaptionBytes = 256 * 1024;

/**
 * Why a file cannot be the captions of a film, as a sentence; null when it can. It has to be WebVTT in UTF-8 with a caption.
 * The times of the captions are not checked.
 */
export function captionsError(bytes: Uint8Array): string | null {
  if (bytes.length > maxCaptionBytes) return "Captions can have at most 256 KB.";
  const text = decoded(bytes);
  if (text === null) return "This file isn't UTF-8 text. Save the captions as UTF-8.";
  if (!/^WEBVTT(?:[ \t\n]|$)/.test(text)) {
    return "This isn't a WebVTT file. Its first line has to be WEBVTT.";
  }
  if (
    !/(?:^|\n)(?:\d{2,}:)?\d\d:\d\d\.\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?\d\d:\d\d\.\d{3}/.test(text)
  ) {
    return "This file has no captions. Each one begins with a line such as 00:01.000 --> 00:04.000.";
  }
  return null;
}

/** The text without byte order mark and with plain line ends; null when it is not UTF-8. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, "\n");
  } catch {
    return null;
  }
}
