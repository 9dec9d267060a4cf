const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** The head of a WebM film and the mark of what follows. */
export const webmBytes: Uint8Array<ArrayBuffer> = ascii(
  "\u001aEß£\u0087B\u0082\u0084webm\u0018S\u0080gÿ",
);

/** The boxes of a film in MP4, each a type and its content. */
export function mp4Bytes(
  boxes: readonly (readonly [type: string, content: string])[],
): Uint8Array<ArrayBuffer> {
  const parts = boxes.map(([type, content]) => {
    const bytes = ascii(`    ${type}${content}`);
    new DataView(bytes.buffer).setUint32(0, bytes.length);
    return [...bytes];
  });
  return Uint8Array.from(parts.flat());
}
