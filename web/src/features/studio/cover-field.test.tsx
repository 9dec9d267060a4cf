import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, renderPage, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { contentPictureAddress } from "@/domain/content-pictures.ts";
import { heicNamedJpg } from "@/lib/testing/heic-photo.ts";
import { CoverField } from "./components/cover-field.tsx";
import { useCoverChoice } from "./use-cover-choice.ts";

const uploadCall = "POST /storage/v1/object/content-pictures/";
const stored = contentPictureAddress(`${adaId}-1.jpg`);

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:preview");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

/** The field with the cover it has been given; `answer` is the storage's to an upload. */
function open(cover: string | null, answer: Reply = { body: { Key: "k", Id: "i" } }) {
  const world = { answer };
  function Draft() {
    const [kept, keep] = useState(cover);
    const choice = useCoverChoice(keep);
    const [isOpen, setOpen] = useState(true);
    return (
      <>
        {isOpen ? (
          <CoverField
            content={{ subcategoryId: null, slug: "monday", cover: kept }}
            error={undefined}
            choice={choice}
            onRemove={() => keep(null)}
          />
        ) : null}
        <button type="button" onClick={() => setOpen(!isOpen)}>
          Settings
        </button>
        <output aria-label="Kept">{kept ?? "drawn"}</output>
      </>
    );
  }
  const view = renderPage(<Draft />, {
    session: sessionOf(),
    reply: ({ call }) => {
      if (call.startsWith(uploadCall)) return world.answer;
      return call === "POST /rest/v1/rpc/studio_subcategories" ? { body: [] } : undefined;
    },
  });
  const uploads = () => view.seen.filter(({ call }) => call.startsWith(uploadCall));
  return { ...view, world, uploads };
}

const kept = () => screen.getByRole("status", { name: "Kept" }).textContent;
const group = async () => within(await screen.findByRole("group", { name: "Cover" }));
/** Goes round the `accept` filter, as dropping a file does. */
const chooseFile = async (file: File) =>
  userEvent.setup({ applyAccept: false }).upload((await group()).getByLabelText("Picture"), file);
const choose = async (name: string, type: string, size = 4) =>
  chooseFile(new File([new Uint8Array(size)], name, { type }));
const press = async (name: string) => userEvent.click(screen.getByRole("button", { name }));
const preview = () => screen.getByRole("img", { name: "Preview of the cover" });
const part = () => screen.getByRole("slider", { name: "Part to show" });

describe("the cover of a draft", () => {
  it("is cropped where one says, previewed so, drawn anew as a JPEG and kept by its address", async () => {
    const view = open(null);
    const drawImage = vi.fn();
    const context = { drawImage, fillRect: vi.fn() } as unknown as GPUCanvasContext;
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context);
    await choose("Harbour.WEBP", "image/webp");
    expect(preview().style.objectPosition).toBe("50% 50%");
    fireEvent.change(part(), { target: { value: "100" } });
    expect(preview().style.objectPosition).toBe("100% 100%");
    expect(view.uploads()).toEqual([]);
    await press("Use as cover");
    await waitFor(() => expect(kept()).not.toBe("drawn"));
    const name = /[^/]+$/.exec(view.uploads()[0]?.call ?? "")?.[0] ?? "";
    expect(name).toMatch(new RegExp(`^${adaId}-\\d+\\.jpg$`));
    expect(kept()).toBe(`/storage/v1/object/public/content-pictures/${name}`);
    // Of 40 × 20 pixels, 36 × 20 have the shape of a cover: these are the right-hand ones.
    expect(drawImage.mock.calls.map((call) => call.slice(1))).toEqual([
      [4, 0, 36, 20, 0, 0, 36, 20],
    ]);
    const shown = (await screen.findByRole("group", { name: "Cover" })).querySelector("img");
    expect(shown?.src).toBe(
      `http://backend.test/storage/v1/object/public/content-pictures/${name}`,
    );
  });

  it("is kept with its part when the settings close over it, and uploaded without them", async () => {
    open(null);
    const context = { drawImage: vi.fn(), fillRect: vi.fn() } as unknown as GPUCanvasContext;
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context);
    await choose("Harbour.WEBP", "image/webp");
    fireEvent.change(part(), { target: { value: "80" } });
    await press("Settings");
    expect(screen.queryByRole("group", { name: "Cover" })).not.toBeInTheDocument();
    await press("Settings");
    expect(part()).toHaveValue("80");
    fireEvent.click(screen.getByRole("button", { name: "Use as cover" }));
    fireEvent.click(screen.getByRole("button", { name: "Settings" }));
    expect(screen.queryByRole("group", { name: "Cover" })).not.toBeInTheDocument();
    await waitFor(() => expect(kept()).not.toBe("drawn"));
  });

  it("needs no cropping in the shape of a cover", async () => {
    open(null);
    await choose("a.png", "image/png");
    Object.defineProperties(preview(), {
      naturalWidth: { value: 1600 },
      naturalHeight: { value: 900 },
    });
    fireEvent.load(preview());
    expect(await screen.findByText("It's already the right shape for a cover.")).toBeVisible();
    expect(screen.queryByRole("slider")).not.toBeInTheDocument();
  });

  it("is a JPG, PNG or WebP under 20 MB that this browser can read", async () => {
    const view = open(null);
    await choose("a.svg", "image/svg+xml");
    expect(await screen.findByText("Please choose a JPG, PNG or WebP picture.")).toBeVisible();
    await choose("a.png", "image/png", 20 * 1024 * 1024);
    expect(await screen.findByText("The picture must be smaller than 20 MB.")).toBeVisible();
    vi.spyOn(globalThis, "createImageBitmap").mockRejectedValue(new Error("no picture"));
    await choose("a.png", "image/png");
    await press("Use as cover");
    expect(await screen.findByText(/We couldn't read this picture/)).toBeVisible();
    await chooseFile(heicNamedJpg());
    await press("Use as cover");
    expect(await screen.findByText(/This is a HEIC photo.*Export it as a JPG/)).toBeVisible();
    expect(view.uploads()).toEqual([]);
    expect(kept()).toBe("drawn");
  });

  it("says why it was not uploaded, and is uploaded again", async () => {
    const sentence = "You can upload 60 pictures within an hour. Try again later.";
    const limit = { statusCode: "400", code: "InvalidRequest", error: "", message: sentence };
    const view = open(stored, { status: 400, body: limit });
    await choose("a.jpg", "image/jpeg");
    await press("Use as cover");
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(kept()).toBe(stored);
    view.world.answer = { body: { Key: "k", Id: "i" } };
    await press("Use as cover");
    await waitFor(() => expect(kept()).not.toBe(stored));
    expect(view.uploads()).toHaveLength(2);
  });

  it("is drawn again once its picture is removed, and left alone when cropping is cancelled", async () => {
    const view = open(stored);
    await choose("a.jpg", "image/jpeg");
    await press("Cancel");
    expect(kept()).toBe(stored);
    expect(screen.getByRole("group", { name: "Cover" })).toHaveFocus();
    await press("Remove picture");
    expect(kept()).toBe("drawn");
    expect(await screen.findByText(/members see this drawn cover/)).toBeVisible();
    expect(view.uploads()).toEqual([]);
  });

  it.each([
    "https://elsewhere.example/x.jpg",
    "//elsewhere.example/x.jpg",
    "javascript:alert(1)",
    "data:image/svg+xml,<svg onload=alert(1)>",
    'x" onerror="alert(1)',
  ])("never loads %s", async (address) => {
    const { container } = open(address);
    await group();
    expect(container.querySelector("img")).toBeNull();
    expect(container.querySelector("svg[viewBox='0 0 320 180']")).not.toBeNull();
  });
});
