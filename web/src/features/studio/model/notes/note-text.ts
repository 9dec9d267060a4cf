/** The text of a note, and how it was written. */
export interface NoteText {
  /** With plain line ends and composed letters, without a byte order mark. */
  readonly text: string;
  readonly encoding: "UTF-8" | "UTF-16" | "Windows-1252";
  /** The first line with a character that can't be read; null when all can. */
  readonly brokenLine: number | null;
}

function decode(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** UTF-16 by its mark, or by the zeros beside the letters of the alphabet. */
function utf16Kind(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const start = bytes.subarray(0, 1000);
  const zeros = [0, 0];
  for (const [index, byte] of start.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const many = start.length / 5;
  if (odd > many && even < odd / 10) return "utf-16le";
  return even > many && odd < even / 10 ? "utf-16be" : null;
}

function note(text: string, encoding: NoteText["encoding"]): NoteText | null {
  // macOS writes accents apart from their letters.
  const plain = text.replaceAll(/\r\n?/g, "\n").normalize("NFC");
  // No text holds the signs of a terminal.
  return /[^\P{Cc}\t\n\v\f\r\u007f-\u009f]/u.test(plain)
    ? null
    : { text: plain, encoding, brokenLine: null };
}

/** The text of a file as editors of Windows, macOS and Linux write it; null when it is none. */
export function readNoteText(bytes: Uint8Array): NoteText | null {
  const kind = utf16Kind(bytes);
  if (kind !== null) {
    const text = decode(kind, bytes);
    return text === null ? null : note(text, "UTF-16");
  }
  const text = decode("utf-8", bytes);
  if (text !== null) return note(text, "UTF-8");
  // A few broken bytes among letters of UTF-8 make no other encoding of the rest.
  const lenient = new TextDecoder().decode(bytes);
  const broken = lenient.match(/\uFFFD/g)?.length ?? 0;
  const letters = lenient.match(/[^\0-\u007f\uFFFD]/g)?.length ?? 0;
  if (letters > broken) {
    const found = note(lenient, "UTF-8");
    const line = found?.text.slice(0, found.text.indexOf("\uFFFD")).split("\n").length ?? 1;
    return found && { ...found, brokenLine: line };
  }
  return note(new TextDecoder("windows-1252").decode(bytes), "Windows-1252");
}
