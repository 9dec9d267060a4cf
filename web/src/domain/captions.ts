/** Captions of an hour are about 100 KB. */
export const maxCaptionBytes = 256 * 1024;

const exampleTimes = "00:01.000 --> 00:04.000";
/** A time as browsers read it: hours of any length, or minutes of two digits alone, and three digits after a dot. */
const time = String.raw`(?:(\d+):)?([0-5]\d):([0-5]\d\.\d{3})(?!\d)`;
const timesPattern = new RegExp(String.raw`^[ \t\f]*${time}[ \t\f]*-->[ \t\f]*${time}`);
/** What stands between captions and is shown nowhere. */
const isRemark = (line: string) => /^(?:NOTE(?:[ \t]|$)|(?:STYLE|REGION)[ \t]*$)/.test(line);
/** A `<` of a tag or of a time within a caption. After any other, browsers hide words. */
const tag = /^<(?:\/?[a-z][^<>]*|\/|\d+:[\d:.]+)>/i;

function seconds([hours, minutes, rest]: readonly (string | undefined)[]): number {
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest ?? 0);
}

/** What is wrong with the line of times of a caption; null when a browser shows what follows. */
function timesError(line: string): string | null {
  const times = timesPattern.exec(line);
  if (times === null) {
    return `These times can't be read. Write them as ${exampleTimes}, with a dot before three digits.`;
  }
  const [, ...parts] = times;
  const isShown = seconds(parts.slice(3)) > seconds(parts.slice(0, 3));
  return isShown ? null : "This caption ends before it begins, so it would never be shown.";
}

/** What is wrong with a line of words under times. */
function wordsError(line: string): string | null {
  for (let at = line.indexOf("<"); at >= 0; at = line.indexOf("<", at + 1)) {
    if (!tag.test(line.slice(at))) {
      return "Words after “<” would be hidden. Write &lt; in its place.";
    }
  }
  return null;
}

/** Goes through the lines of a file after the first, as browsers do. The first line that they would not show, or none. */
function lineError(lines: readonly string[]): string | null {
  let hasCaptions = false;
  /** Lines of the current block before its times. */
  let before = 0;
  let block: "header" | "between" | "words" | "remark" = "header";
  for (const [index, line] of lines.entries()) {
    const found = (error: string) => `Line ${index + 2}: ${error}`;
    if (line === "") {
      block = "between";
      before = 0;
    } else if (line.includes("-->") && !(block !== "words" && isRemark(line))) {
      const error = timesError(line);
      if (error !== null) return found(error);
      hasCaptions = true;
      block = "words";
    } else if (block === "words") {
      const error = wordsError(line);
      if (error !== null) return found(error);
    } else if (block === "between") {
      if (isRemark(line)) {
        block = "remark";
        continue;
      }
      // One line before times is the name of a caption.
      const isName = ++before === 1 && lines[index + 1]?.includes("-->") === true;
      if (!isName) {
        return found(
          `These words have no times, so they would not be shown. Put a line such as ${exampleTimes} above them, or take out the empty line before them.`,
        );
      }
    }
  }
  return hasCaptions
    ? null
    : `This file has no captions. Each one begins with a line such as ${exampleTimes}.`;
}

/**
 * Why a file cannot be the captions of a film, as a sentence with the line; null when it can. It has to be WebVTT in UTF-8 with a
 * caption, of which browsers show every one.
 */
export function captionsError(bytes: Uint8Array): string | null {
  if (bytes.length > maxCaptionBytes) return "Captions can have at most 256 KB.";
  const text = decoded(bytes);
  if (typeof text === "number") {
    return `Line ${text}: This isn't UTF-8 text. Save the captions as UTF-8.`;
  }
  if (!/^WEBVTT(?:[ \t\n]|$)/.test(text)) {
    return "This isn't a WebVTT file. Its first line has to be WEBVTT.";
  }
  return lineError(text.split("\n").slice(1));
}

/** The text without byte order mark and with plain line ends, or the number of the first line that is not UTF-8. */
function decoded(bytes: Uint8Array): string | number {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, "\n");
  } catch {
    // What is no UTF-8 becomes a replacement character, which no other byte does but itself.
    const lines = new TextDecoder().decode(bytes).split(/\r\n?|\n/);
    return lines.findIndex((line) => line.includes("\uFFFD")) + 1;
  }
}
