import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, renderPage, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { maxFilmBytes } from "@/domain/course-films.ts";
import { FilmField } from "./components/film-field.tsx";
import { webmBytes } from "./testing/film-bytes.ts";
import { FakeUpload } from "./testing/fake-upload.ts";

beforeEach(() => {
  FakeUpload.all = [];
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const film = new File([webmBytes], "lesson.webm");
const vtt = new File(["WEBVTT\n\n00:01.000 --> 00:04.000\nGood morning.\n"], "lesson.vtt");
const storedFilm = `/storage/v1/object/authenticated/course-films/${adaId}-1.webm`;
const signCall = "POST /storage/v1/object/sign/course-films";
const copyCall = "POST /storage/v1/object/copy";

/** The field with the address it has been given; links to films are signed. */
function open(address: string | null, replies: Record<string, Reply> = {}) {
  function Lesson() {
    const [kept, keep] = useState(address);
    return (
      <>
        <FilmField
          place={1}
          title="Begin"
          address={kept}
          onChange={keep}
          onUpload={() => undefined}
        />
        <output aria-label="Kept">{kept ?? "none"}</output>
      </>
    );
  }
  return renderPage(<Lesson />, {
    session: sessionOf(),
    reply: ({ call, body }) => {
      if (replies[call]) return replies[call];
      if (call !== signCall) return undefined;
      const { paths } = body as { paths: string[] };
      return { body: paths.map((path) => ({ path, signedURL: `/sign/${path}`, error: null })) };
    },
  });
}

const kept = () => screen.getByRole("status", { name: "Kept" }).textContent;
const form = async () => within(await screen.findByRole("region", { name: "Film of module 1" }));
const openForm = async () =>
  userEvent.click(await screen.findByRole("button", { name: "Upload a film instead" }));
/** Goes round the `accept` filter, as dropping a file does. */
const choose = async (label: string, file: File) =>
  userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText(label), file);
const press = async (name: string) => userEvent.click(screen.getByRole("button", { name }));

async function latest(count: number): Promise<FakeUpload> {
  await waitFor(() => expect(FakeUpload.all).toHaveLength(count));
  const last = FakeUpload.all.at(-1);
  if (!last) throw new Error("nothing was sent");
  return last;
}

async function startUpload(): Promise<FakeUpload> {
  await openForm();
  await choose("Film", film);
  await choose("Captions", vtt);
  await waitFor(() => expect(screen.getByRole("button", { name: "Upload film" })).toBeEnabled());
  await press("Upload film");
  const captions = await latest(1);
  expect(captions.address).toMatch(new RegExp(`/course-films/${adaId}-\\d+\\.vtt$`));
  act(() => captions.answer(200, { Key: "k" }));
  return await latest(2);
}

describe("the film of a lesson", () => {
  it("is uploaded after its captions, with its progress, and shown as members see it", async () => {
    open(null);
    const sent = await startUpload();
    expect(sent.headers).toMatchObject({ "content-type": "video/webm" });
    expect(sent.headers["authorization"]).toMatch(/^Bearer /);
    expect(sent.body).toBe(film);
    act(() => sent.progress(42, 100));
    expect(screen.getByRole("progressbar", { name: "Uploading" })).toHaveAttribute(
      "aria-valuetext",
      "42%",
    );
    act(() => sent.answer(200, { Key: "k" }));
    const name = sent.address.split("/").at(-1) ?? "";
    await waitFor(() =>
      expect(kept()).toBe(`/storage/v1/object/authenticated/course-films/${name}`),
    );
    const player = await screen.findByLabelText("Video: Begin");
    expect(player).toHaveAttribute("src", expect.stringContaining(`/sign/${name}`));
    expect(player.querySelector("track")?.getAttribute("src")).toContain(
      name.replace("webm", "vtt"),
    );
    await press("Remove film");
    expect(kept()).toBe("none");
  });

  it("is not sent without captions", async () => {
    open(null);
    await openForm();
    await choose("Film", film);
    await waitFor(async () => expect((await form()).getByText("lesson.webm")).toBeVisible());
    expect(screen.getByRole("button", { name: "Upload film" })).toBeDisabled();
  });

  it("and its captions are refused next to their fields", async () => {
    open(null);
    await openForm();
    await choose("Film", new File(["<html>"], "film.mp4", { type: "video/mp4" }));
    expect(
      await screen.findByText(
        "This isn't an MP4 or WebM film that browsers can play. Save it as MP4 with H.264.",
      ),
    ).toBeVisible();
    const large = new File([webmBytes], "large.webm");
    Object.defineProperty(large, "size", { value: maxFilmBytes + 1 });
    await choose("Film", large);
    expect(await screen.findByText(/^The film is larger than 50 MB/)).toBeVisible();
    await choose("Captions", new File(["1\n00:00:01,000 --> 00:00:02,000\nHi"], "film.srt"));
    expect(await screen.findByText(/^This isn't a WebVTT file/)).toBeVisible();
    expect(screen.getByLabelText("Captions")).toBeInvalid();
    expect(screen.getByRole("button", { name: "Upload film" })).toBeDisabled();
  });

  it("is cancelled and sent again", async () => {
    open(null);
    await startUpload();
    await press("Cancel upload");
    expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
    await press("Upload film");
    expect((await latest(3)).address).toMatch(/\.vtt$/);
    expect(kept()).toBe("none");
  });

  it.each([
    [400, { code: "AccessDenied", message: "no" }, /^Only mentors with an active membership/],
    [400, { code: "InvalidRequest", message: "You can upload 60 files." }, /^You can upload 60/],
    [413, { code: "EntityTooLarge", message: "no" }, /^The film is larger than 50 MB/],
    [408, {}, /^The upload took longer/],
    [500, {}, /^The film wasn't uploaded\. Check your connection/],
  ])("says why it was not taken (%s)", async (status, body, reason) => {
    open(null);
    const sent = await startUpload();
    act(() => sent.answer(status, body));
    expect(await screen.findByText(reason)).toBeVisible();
    await press("Try again");
    expect((await latest(3)).address).toMatch(/\.vtt$/);
  });

  it("waits while there is no network", async () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    open(null);
    await openForm();
    await choose("Film", film);
    await choose("Captions", vtt);
    expect(screen.getByText(/^You're offline/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Upload film" })).toBeDisabled();
  });

  it("gets other captions under a new name", async () => {
    const { seen } = open(storedFilm, { [copyCall]: { body: { Key: "k" } } });
    await screen.findByLabelText("Video: Begin");
    await press("Replace captions");
    await choose("Other captions", vtt);
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Save captions" })).toBeEnabled(),
    );
    await press("Save captions");
    const captions = await latest(1);
    act(() => captions.answer(200, { Key: "k" }));
    const stem = /([0-9a-f-]{36}-\d+)\.vtt$/.exec(captions.address)?.[1] ?? "";
    await waitFor(() =>
      expect(kept()).toBe(`/storage/v1/object/authenticated/course-films/${stem}.webm`),
    );
    expect(seen.find(({ call }) => call === copyCall)?.body).toMatchObject({
      sourceKey: `${adaId}-1.webm`,
      destinationKey: `${stem}.webm`,
    });
  });

  it("that cannot be loaded is asked for again", async () => {
    const replies: Record<string, Reply> = { [signCall]: { status: 500, body: { error: "x" } } };
    open(storedFilm, replies);
    const again = await screen.findByRole("button", { name: "Try again" });
    delete replies[signCall];
    await userEvent.click(again);
    expect(await screen.findByLabelText("Video: Begin")).toBeVisible();
  });
});
