import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, renderPage, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { UploadedFilmPlayer } from "./components/film-player.tsx";

const signCall = "POST /storage/v1/object/sign/course-films";
const film = { film: `${adaId}-1.webm`, captions: `${adaId}-1.vtt` };

let played: HTMLMediaElement[];
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  played = [];
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(async function play(
    this: HTMLMediaElement,
  ) {
    played.push(this);
    await Promise.resolve();
  });
});

afterEach(() => void vi.restoreAllMocks());

/** The player; each link that is signed is another one. `refusal` is what the signing answers once it is set. */
function open() {
  const state: { signed: number; refusal: Reply | undefined } = { signed: 0, refusal: undefined };
  renderPage(<UploadedFilmPlayer film={film} title="Begin" />, {
    session: sessionOf(),
    reply: ({ call, body }) => {
      if (call !== signCall) return undefined;
      if (state.refusal) return state.refusal;
      state.signed += 1;
      const { paths } = body as { paths: string[] };
      return {
        body: paths.map((path) => ({
          path,
          signedURL: `/sign/${path}?token=${state.signed}`,
          error: null,
        })),
      };
    },
  });
  return state;
}

const player = async () => await screen.findByLabelText<HTMLVideoElement>("Video: Begin");

/** The link ends while the film stands at `seconds`. */
function endLink(video: HTMLVideoElement, seconds: number, isPlaying: boolean): void {
  Object.defineProperty(video, "paused", { value: !isPlaying, configurable: true });
  video.currentTime = seconds;
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_000);
  fireEvent.error(video);
}

describe("a film whose link has ended", () => {
  it.each([
    ["goes on playing where it was", true],
    ["stays paused where it was", false],
  ])("%s", async (_, isPlaying) => {
    open();
    const video = await player();
    endLink(video, 1834.5, isPlaying);
    await waitFor(() => expect(video.getAttribute("src")).toContain("token=2"));
    video.currentTime = 0;
    fireEvent.loadedMetadata(video);
    expect(video.currentTime).toBe(1834.5);
    expect(played).toEqual(isPlaying ? [video] : []);
  });

  it("is said to be out of reach when no other is signed, and asked for again", async () => {
    const state = open();
    const video = await player();
    state.refusal = { status: 400, body: { statusCode: "404", error: "not_found", message: "x" } };
    endLink(video, 60, true);
    const again = await screen.findByRole("button", { name: "Try again" });
    expect(video).not.toBeInTheDocument();
    state.refusal = undefined;
    await userEvent.click(again);
    const next = await player();
    fireEvent.loadedMetadata(next);
    expect(next.currentTime).toBe(60);
  });
});
