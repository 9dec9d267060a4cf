import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, renderPage, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { heicNamedJpg } from "@/lib/testing/heic-photo.ts";
import { PictureDialog } from "./components/picture-dialog.tsx";

const uploadCall = "POST /storage/v1/object/content-pictures/";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:preview");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const context = { drawImage: vi.fn(), fillRect: vi.fn() } as unknown as GPUCanvasContext;
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context);
});
afterEach(() => vi.restoreAllMocks());

function open(pictures: readonly (File | null)[], answer: Reply = { body: { Key: "k", Id: "i" } }) {
  const world = { answer };
  const [onStored, onClose] = [vi.fn(), vi.fn()];
  const view = renderPage(
    <PictureDialog pictures={pictures} onStored={onStored} onClose={onClose} />,
    {
      session: sessionOf(),
      reply: ({ call }) => (call.startsWith(uploadCall) ? world.answer : undefined),
    },
  );
  const uploads = () => view.seen.filter(({ call }) => call.startsWith(uploadCall));
  return { world, onStored, onClose, uploads };
}

const pasted = (name: string, type: string) => new File(["x"], name, { type });
const describeIt = async (text: string) =>
  userEvent.type(await screen.findByLabelText("Description"), text);
const insert = async () =>
  userEvent.click(await screen.findByRole("button", { name: "Insert picture" }));

describe("inserting a picture", () => {
  it("stores it drawn anew under the mentor's name, with its size and description", async () => {
    const view = open([pasted("image.png", "image/png")]);
    await describeIt("Two [[boats]");
    await insert();
    await waitFor(() => expect(view.onStored).toHaveBeenCalledOnce());
    const name = /[^/]+$/.exec(view.uploads()[0]?.call ?? "")?.[0] ?? "";
    expect(name).toMatch(new RegExp(`^${adaId}-\\d+\\.(?:png|jpg)$`));
    expect(view.onStored.mock.calls).toEqual([
      [{ name, size: { width: 40, height: 20 } }, "Two (boats)"],
    ]);
  });

  it("asks for each of several pictures, until no more are wanted", async () => {
    const names = ["a.png", "b.png", "c.png"];
    const view = open(names.map((name) => pasted(name, "image/png")));
    expect(await screen.findByText("2 more pictures follow.")).toBeVisible();
    await describeIt("First");
    await insert();
    expect(await screen.findByText("One more picture follows.")).toBeVisible();
    expect(screen.getByLabelText("Description")).toHaveValue("");
    await userEvent.keyboard("Second{Enter}");
    await waitFor(() => expect(view.onStored).toHaveBeenCalledTimes(2));
    expect(view.onStored.mock.calls.map(([, description]) => description as string)).toEqual([
      "First",
      "Second",
    ]);
    expect(view.onClose).not.toHaveBeenCalled();
    expect(screen.queryByText(/follow/)).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(view.onClose).toHaveBeenCalledOnce();
    expect(view.uploads()).toHaveLength(2);
  });

  it("needs a picture and a description", async () => {
    const view = open([null]);
    await insert();
    expect(await screen.findByText("Please choose a JPG, PNG or WebP picture.")).toBeVisible();
    expect(screen.getByText("Describe the picture.")).toBeVisible();
    await userEvent.upload(
      screen.getByLabelText("Picture file"),
      pasted("Harbour.WEBP", "image/webp"),
    );
    await insert();
    expect(view.uploads()).toEqual([]);
    await describeIt("A harbour");
    await insert();
    await waitFor(() => expect(view.onStored).toHaveBeenCalledOnce());
  });

  it("refuses what is no picture, and one this browser cannot read", async () => {
    const view = open([pasted("a.svg", "image/svg+xml")]);
    expect(await screen.findByText("Please choose a JPG, PNG or WebP picture.")).toBeVisible();
    vi.spyOn(globalThis, "createImageBitmap").mockRejectedValue(new Error("no picture"));
    await userEvent.upload(screen.getByLabelText("Picture file"), pasted("a.png", "image/png"));
    await describeIt("A harbour");
    await insert();
    expect(await screen.findByText(/We couldn't read this picture/)).toBeVisible();
    await userEvent.upload(screen.getByLabelText("Picture file"), heicNamedJpg());
    await insert();
    expect(await screen.findByText(/This is a HEIC photo.*Export it as a JPG/)).toBeVisible();
    expect(view.uploads()).toEqual([]);
    expect(view.onStored).not.toHaveBeenCalled();
  });

  it("says why it was not uploaded, and is tried again", async () => {
    const sentence = "You can upload 60 pictures within an hour. Try again later.";
    const limit = { statusCode: "400", code: "InvalidRequest", error: "", message: sentence };
    const view = open([pasted("a.png", "image/png")], { status: 400, body: limit });
    await describeIt("A harbour");
    await insert();
    expect(await screen.findByText(sentence)).toBeVisible();
    view.world.answer = { body: { Key: "k", Id: "i" } };
    await insert();
    await waitFor(() => expect(view.onStored).toHaveBeenCalledOnce());
  });
});
