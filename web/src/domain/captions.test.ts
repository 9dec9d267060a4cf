import { describe, expect, it } from "vitest";
import { captionsError, maxCaptionBytes } from "./captions.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const times = "00:01.000 --> 00:04.000";
const cue = `${times}\nGood morning.\n`;
const after = (text: string) => `WEBVTT\n\n${text}`;

describe("captions", () => {
  it.each([
    ["a caption", after(cue)],
    ["a mark at the beginning and Windows' line ends", `\uFEFFWEBVTT - Lesson 1\r\n\r\n${cue}`],
    ["line ends of old Macs", after(cue).replaceAll("\n", "\r")],
    ["words after the mark", `WEBVTT - This file has cues.\n\n${cue}`],
    ["hours and a name", after("first\n01:00:01.000 --> 01:00:04.000 line:0\nNow")],
    ["one digit of hours", after("0:00:01.000 --> 0:00:04.000\nNow")],
    ["a hundred hours", after("100:00:01.000 --> 100:00:04.000\nNow")],
    ["no space around the arrow", after("00:01.000-->00:04.000\nNow")],
    ["no line between the first one and the times", `WEBVTT\n${cue}`],
    [
      "fields of the file",
      `WEBVTT\nKind: captions\nLanguage: en-GB\n\n${times} align:start position:0%\nHi<00:00:02.000><c> there</c>`,
    ],
    ["the clock of a stream", `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n${cue}`],
    [
      "the clock of a stream right before the times",
      `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n${cue}`,
    ],
    [
      "remarks, styles and regions",
      after(
        `NOTE made by\n\nNOTE\nin two lines\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:fred\n\n1\n${times} region:fred\n<v Ann>Hi\n\nNOTE 00:05,0 --> later`,
      ),
    ],
    ["no empty line between two", after(`${cue}00:05.000 --> 00:06.000\nNow`)],
    ["no words", after(`${times}\n\n${cue}`)],
    [
      "tags that it does not know, and a written <",
      after(`${times}\n<font color="red">I &lt;3 it</font>`),
    ],
  ])("are taken with %s", (_what, text) => {
    expect(captionsError(bytesOf(text))).toBeNull();
  });

  it.each([
    ["nothing", bytesOf(""), "This isn't a WebVTT file"],
    ["SubRip", bytesOf(`1\n00:00:01,000 --> 00:00:04,000\nGood morning.\n`), "WebVTT"],
    ["an empty line first", bytesOf(`\nWEBVTT\n\n${cue}`), "This isn't a WebVTT file"],
    ["a word that begins the same", bytesOf(`WEBVTTX\n\n${cue}`), "WebVTT"],
    ["a colon after the word", bytesOf(`WEBVTT: x\n\n${cue}`), "WebVTT"],
    ["the word in small letters", bytesOf(`webvtt\n\n${cue}`), "WebVTT"],
    ["no caption", bytesOf("WEBVTT\n\nNOTE soon"), "no captions"],
    ["another encoding", new Uint8Array([...bytesOf("WEBVTT\n\n"), 0xe9, 0x20]), "UTF-8"],
    [
      "a letter of another encoding",
      new Uint8Array([...bytesOf(`WEBVTT\r\n\r\n${times}\r\nCaf`), 0xe9, 0x0a]),
      "Line 4: This isn't UTF-8 text",
    ],
    ["UTF-16", new Uint8Array([0xff, 0xfe, ...Buffer.from(after(cue), "utf16le")]), "UTF-8"],
    ["too much", new Uint8Array(maxCaptionBytes + 1), "at most 256 KB"],
  ])("are refused with %s", (_what, bytes, reason) => {
    expect(captionsError(bytes)).toContain(reason);
  });

  // Browsers play such a file without a word, and leave out or cut the caption.
  it.each([
    ["commas", "00:00:01,000 --> 00:00:04,000\nlost", "Line 3: These times can't be read."],
    ["commas after a good one", `${cue}\n00:00:05,000 --> 00:00:06,000\nlost`, "Line 6: These"],
    ["two digits of a second's parts", "00:00:15.32 --> 00:00:17.00\nlost", "Line 3: These"],
    ["four digits", "00:15.3200 --> 00:17.0000\nlost", "Line 3: These"],
    ["one digit of minutes", "1:00.000 --> 2:00.000\nlost", "Line 3: These"],
    ["sixty minutes", "60:00.000 --> 61:00.000\nlost", "Line 3: These"],
    ["the end before the start", "00:05.000 --> 00:02.000\nlost", "Line 3: This caption ends"],
    ["the end at the start", "00:05.000 --> 00:05.000\nlost", "Line 3: This caption ends"],
    ["an arrow too short", `${cue}\n00:05.000 -> 00:06.000\nlost`, "Line 6: These words"],
    ["an empty line in a caption", `${cue}\nlost`, "Line 6: These words have no times"],
    ["words above a name", `lost\n1\n${cue}`, "Line 3: These words have no times"],
    ["a heart", `${times}\nWe <3 it`, "Line 4: Words after “<” would be hidden."],
    ["a comparison", `${times}\na < b > c`, "Line 4: Words after “<” would be hidden."],
    ["a tag without an end", `${times}\nWe <love it`, "Line 4: Words after “<”"],
  ])("are refused by line for %s", (_what, text, reason) => {
    expect(captionsError(bytesOf(after(text)))).toContain(reason);
  });
});
