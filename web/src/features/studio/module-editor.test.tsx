import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderPage, sessionOf } from "@/app/testing/test-app.tsx";
import { ModuleEditor } from "./components/module-editor.tsx";
import { webmBytes } from "./testing/film-bytes.ts";
import type { DraftModule } from "./model/draft.ts";
import { FakeUpload } from "./testing/fake-upload.ts";
import { draftId, openStudio } from "./testing/studio-screen.ts";

beforeEach(() => {
  FakeUpload.all = [];
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const lesson = (title: string, content: string): DraftModule => ({
  slug: title.toLowerCase(),
  title,
  content,
  minutes: null,
  videoUrl: null,
});

const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole("button", { name }));
const rows = () => screen.getAllByRole("button", { name: /^\d+\. / });
const text = (place: number) => screen.findByRole("textbox", { name: `Lesson ${place}` });

describe("the modules of a course", () => {
  function open(given: readonly DraftModule[]) {
    function Course() {
      const [modules, setModules] = useState(given);
      return (
        <ModuleEditor
          modules={modules}
          onChange={setModules}
          uploads={new Map()}
          onUpload={() => undefined}
        />
      );
    }
    return renderPage(<Course />, { session: sessionOf() });
  }
  const moveFirstDown = async () => {
    const [first] = screen.getAllByRole("button", { name: /^Move .* down$/ });
    await userEvent.click(first ?? document.body);
  };

  it("show the text of the one that is open, also when two have the same title", async () => {
    open([lesson("Same", "Apples."), lesson("Same", "Pears.")]);
    expect(await text(1)).toHaveTextContent("Apples.");
    await moveFirstDown();
    expect(await text(2)).toHaveTextContent("Apples.");
    const said = screen.getByText("Same is now module 2 of 2.");
    await moveFirstDown();
    await waitFor(async () => expect(await text(2)).toHaveTextContent("Pears."));
    // Another element is read out, the same sentence in the same one is not.
    expect(screen.getByText("Same is now module 2 of 2.")).not.toBe(said);
    expect(said).not.toBeInTheDocument();
  });

  it("are added, opened and removed with their own texts", async () => {
    open([lesson("First", "Apples."), lesson("Second", "Pears.")]);
    await press("Add module");
    expect(await text(3)).toHaveTextContent(/^$/);
    await press(/^2\. Second/);
    expect(await text(2)).toHaveTextContent("Pears.");
    await press("Remove module 2");
    expect(await text(1)).toHaveTextContent("Apples.");
    expect(rows().map((row) => row.textContent)).toEqual(["1. First", "2. Untitled module"]);
    await press("Remove module 1");
    await press("Remove module 1");
    expect(screen.getByText("No modules yet")).toBeVisible();
  });

  it("take what is typed after one was added as its title", async () => {
    open([lesson("First", "Apples.")]);
    await press("Add module");
    await userEvent.keyboard("Two words");
    expect(rows().map((row) => row.textContent)).toEqual(["1. First", "2. Two words"]);
  });

  it("begin with the text of the first, which is a module once something is written", async () => {
    open([]);
    expect(await text(1)).toHaveTextContent(/^$/);
    expect(screen.queryAllByRole("button", { name: /^\d+\. / })).toEqual([]);
    expect(screen.queryByRole("button", { name: "Remove module 1" })).not.toBeInTheDocument();
    await userEvent.type(screen.getByLabelText("Title of module 1"), "Begin");
    expect(rows().map((row) => row.textContent)).toEqual(["1. Begin"]);
    await press("Add module");
    expect(rows().map((row) => row.textContent)).toEqual(["1. Begin", "2. Untitled module"]);
    expect(await text(2)).toHaveTextContent(/^$/);
  });
});

describe("the upload of a film", () => {
  async function startUpload(): Promise<FakeUpload> {
    const user = userEvent.setup({ applyAccept: false });
    const film = new File([webmBytes], "lesson.webm");
    const captions = new File(["WEBVTT\n\n00:01.000 --> 00:04.000\nHello.\n"], "lesson.vtt");
    await press("Upload a film instead");
    await user.upload(screen.getByLabelText("Film"), film);
    await user.upload(screen.getByLabelText("Captions"), captions);
    await waitFor(() => expect(screen.getByRole("button", { name: "Upload film" })).toBeEnabled());
    await press("Upload film");
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    act(() => FakeUpload.all[0]?.answer(200, { Key: "k" }));
    await waitFor(() => expect(FakeUpload.all).toHaveLength(2));
    const sent = FakeUpload.all[1];
    if (sent === undefined) throw new Error("The film was not sent");
    return sent;
  }

  it("goes on while other lessons are opened, added and moved, and ends in its own", async () => {
    const { server } = openStudio(`/studio/${draftId}`, {
      kind: "course",
      content: { modules: [lesson("First", "Apples."), lesson("Second", "Pears.")] },
    });
    await screen.findByLabelText("Title of module 1");
    const sent = await startUpload();
    const aborted = vi.fn();
    sent.addEventListener("abort", aborted);
    act(() => sent.progress(42, 100));
    await press(/^2\. Second/);
    expect(screen.getByText("Film uploading")).toBeVisible();
    expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
    await press("Move First down");
    await press("Add module");
    await press(/^2\. First/);
    expect(screen.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "42%");
    await press(/^1\. Second/);
    expect(aborted).not.toHaveBeenCalled();

    act(() => sent.answer(200, { Key: "k" }));
    await waitFor(() => expect(screen.queryByText("Film uploading")).not.toBeInTheDocument());
    await userEvent.keyboard("{Control>}s{/Control}");
    expect(await screen.findByText("All changes saved")).toBeVisible();
    const films = server.saves.at(-1)?.fields.modules.map(({ video_url }) => video_url);
    expect(films).toEqual([null, expect.stringMatching(/course-films\/.+\.webm$/), null]);
  });

  it("is asked about before the editor is left, and keeps the draft where it is", async () => {
    openStudio(`/studio/${draftId}`, {
      kind: "course",
      content: { modules: [lesson("First", "Apples.")] },
    });
    await screen.findByLabelText("Title of module 1");
    const sent = await startUpload();
    const aborted = vi.fn();
    sent.addEventListener("abort", aborted);
    expect(screen.getByRole("button", { name: "Submit for review" })).toBeDisabled();
    expect(screen.getByText(/^Your film is still uploading/)).toBeVisible();
    const closing = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(closing);
    expect(closing.defaultPrevented).toBe(true);

    const leave = async () => {
      const main = within(screen.getByRole("main"));
      await userEvent.click(main.getByRole("link", { name: "Studio" }));
      const name = "Leave during the upload?";
      return within(await screen.findByRole("alertdialog", { name }));
    };
    await userEvent.click((await leave()).getByRole("button", { name: "Stay" }));
    expect(aborted).not.toHaveBeenCalled();
    await userEvent.click((await leave()).getByRole("button", { name: "Leave" }));
    expect(await screen.findByRole("button", { name: "New article" })).toBeVisible();
    expect(aborted).toHaveBeenCalled();
  });

  it("keeps the focus beside it when it begins and when it ends", async () => {
    openStudio(`/studio/${draftId}`, {
      kind: "course",
      content: { modules: [lesson("First", "Apples.")] },
    });
    await screen.findByLabelText("Title of module 1");
    const sent = await startUpload();
    expect(screen.getByRole("button", { name: "Cancel upload" })).toHaveFocus();
    act(() => sent.answer(200, { Key: "k" }));
    expect(await screen.findByRole("button", { name: "Remove film" })).toBeVisible();
    await waitFor(() => expect(screen.getByText("Film of module 1")).toHaveFocus());
  });

  it("that failed out of sight is marked in the list", async () => {
    openStudio(`/studio/${draftId}`, {
      kind: "course",
      content: { modules: [lesson("First", "Apples."), lesson("Second", "Pears.")] },
    });
    await screen.findByLabelText("Title of module 1");
    const sent = await startUpload();
    await press(/^2\. Second/);
    act(() => sent.answer(500, {}));
    expect(await screen.findByText("Film not uploaded")).toBeVisible();
    await press(/^1\. First/);
    expect(await screen.findByText(/^The film wasn't uploaded/)).toBeVisible();
    await press("Try again");
    await waitFor(() => expect(FakeUpload.all).toHaveLength(3));
  });
});
