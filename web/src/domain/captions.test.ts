import { describe, expect, it } from "vitest";
import { captionsError, maxCaptionBytes } from "./captions.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const cue = "00:01.000 --> 00:04.000\nGood morning.\n";

describe("captions", () => {
  it.each([
    ["a caption", `WEBVTT\n\n${cue}`],
    ["a mark at the beginning and Windows' line ends", `\uFEFFWEBVTT - Lesson 1\r\n\r\n${cue}`],
    ["hours and a name", "WEBVTT\n\nfirst\n01:00:01.000 --> 01:00:04.000 line:0\nNow"],
  ])("are taken with %s", (_what, text) => {
    expect(captionsError(bytesOf(text))).toBeNull();
  });

  it.each([
    ["nothing", bytesOf(""), "WebVTT"],
    ["SubRip", bytesOf(`1\n00:00:01,000 --> 00:00:04,000\nGood morning.\n`), "WebVTT"],
    ["a word that begins the same", bytesOf(`WEBVTTX\n\n${cue}`), "WebVTT"],
    ["no caption", bytesOf("WEBVTT\n\nNOTE soon"), "no captions"],
    ["another encoding", new Uint8Array([...bytesOf("WEBVTT\n\n"), 0xe9, 0x20]), "UTF-8"],
    ["too much", new Uint8Array(maxCaptionBytes + 1), "at most 256 KB"],
  ])("are refused with %s", (_what, bytes, reason) => {
    expect(captionsError(bytes)).toContain(reason);
  });
});
