import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { heicNamedJpg } from "@/lib/testing/heic-photo.ts";

let revoke: MockInstance<typeof URL.revokeObjectURL>;
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:preview");
  revoke = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

const setCall = "POST /rest/v1/rpc/set_my_picture";
const uploadCall = "POST /storage/v1/object/profile-pictures/";
const deleteCall = "DELETE /storage/v1/object/profile-pictures";
const former = `${adaId}-1.jpg`;

/** The account page of a member; `replies` may be changed on the way. */
function open(avatarUrl: string | null, replies: Record<string, Reply> = {}) {
  const world = { avatarUrl, replies };
  const rows = memberRows();
  const view = renderApp("/account", {
    session: sessionOf(),
    rows,
    reply: ({ call, body }) => {
      if (call === "GET /rest/v1/profiles") {
        return { body: Object.assign({}, rows["profiles"], { avatar_url: world.avatarUrl }) };
      }
      const fixed = world.replies[call.startsWith(uploadCall) ? uploadCall : call];
      if (fixed) return fixed;
      if (call.startsWith(uploadCall)) return { body: { Key: "k", Id: "i" } };
      if (call === deleteCall) return { body: [] };
      if (call !== setCall) return undefined;
      const before = world.avatarUrl;
      const { name } = (body ?? {}) as { name?: string };
      world.avatarUrl = name === undefined ? null : `http://elsewhere.test/${name}`;
      return { body: before === null ? null : former };
    },
  });
  const uploads = () => view.seen.filter(({ call }) => call.startsWith(uploadCall));
  return { ...view, world, uploads };
}

const group = async () => within(await screen.findByRole("group", { name: "Profile picture" }));
/** Goes round the `accept` filter, as dropping a file does. */
const chooseFile = async (file: File) =>
  userEvent.setup({ applyAccept: false }).upload((await group()).getByLabelText("Picture"), file);
const choose = async (name: string, type: string, size = 4) =>
  chooseFile(new File([new Uint8Array(size)], name, { type }));
const shown = async () =>
  (await screen.findByRole("group", { name: "Profile picture" })).querySelector("img");
const save = async () =>
  userEvent.click(await (await group()).findByRole("button", { name: "Save picture" }));

describe("the picture on the account page", () => {
  it("is previewed, stored as a small square JPEG, set by name, and the former one deleted", async () => {
    const view = open(`http://backend.test/x/${former}`);
    await waitFor(async () =>
      expect((await shown())?.src).toBe(
        `http://backend.test/storage/v1/object/public/profile-pictures/${former}`,
      ),
    );
    await choose("Me.WEBP", "image/webp");
    expect(await screen.findByText("This is how other members will see you.")).toBeVisible();
    expect((await shown())?.src).toBe("blob:preview");
    expect(view.uploads()).toEqual([]);
    await save();
    expect(await screen.findAllByText("Your picture is saved.")).not.toHaveLength(0);
    const name = /[^/]+$/.exec(view.uploads()[0]?.call ?? "")?.[0] ?? "";
    expect(name).toMatch(new RegExp(`^${adaId}-\\d+\\.jpg$`));
    expect(view.seen.find(({ call }) => call === setCall)?.body).toEqual({ name });
    expect(view.seen.find(({ call }) => call === deleteCall)?.body).toEqual({
      prefixes: [former],
    });
    const calls = view.calls();
    expect(calls.indexOf(deleteCall)).toBeGreaterThan(calls.indexOf(setCall));
    expect((await shown())?.src).toMatch(new RegExp(`/profile-pictures/${name}$`));
    // In the account menu as well.
    expect(document.querySelectorAll(`img[src$="/${name}"]`).length).toBeGreaterThan(1);
    expect(revoke).toHaveBeenCalledWith("blob:preview");
  });

  it("is a JPG, PNG or WebP under 20 MB that this browser can read", async () => {
    const view = open(null);
    await choose("a.gif", "image/gif");
    expect(await screen.findByText("Please choose a JPG, PNG or WebP picture.")).toBeVisible();
    await choose("a.png", "image/png", 20 * 1024 * 1024);
    expect(await screen.findByText("The picture must be smaller than 20 MB.")).toBeVisible();
    vi.spyOn(globalThis, "createImageBitmap").mockRejectedValue(new Error("no picture"));
    await choose("a.png", "image/png");
    expect(await screen.findByText(/We couldn't read this picture/)).toBeVisible();
    await chooseFile(heicNamedJpg());
    expect(await screen.findByText(/This is a HEIC photo.*Export it as a JPG/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Save picture" })).not.toBeInTheDocument();
    expect(view.uploads()).toEqual([]);
  });

  it("stays chosen after a failure, and saving again does not upload it twice", async () => {
    const failure = { status: 500, body: { code: "XX000", message: "boom" } };
    const view = open(null, { [setCall]: failure });
    await choose("me.jpg", "image/jpeg");
    await save();
    expect(await screen.findByText(/Your picture wasn't saved/)).toBeVisible();
    view.world.replies = {};
    await save();
    expect(await screen.findAllByText("Your picture is saved.")).not.toHaveLength(0);
    expect(view.uploads()).toHaveLength(1);
  });

  it("is uploaded again when the upload was too long ago", async () => {
    const late = { status: 400, body: { code: "FF340", message: "not uploaded" } };
    const view = open(null, { [setCall]: late });
    await choose("me.jpg", "image/jpeg");
    await save();
    expect(await screen.findByText(/The upload took too long/)).toBeVisible();
    view.world.replies = {};
    await save();
    expect(await screen.findAllByText("Your picture is saved.")).not.toHaveLength(0);
    expect(view.uploads()).toHaveLength(2);
  });

  it("says when there were too many uploads", async () => {
    const refusal = { statusCode: "403", error: "Unauthorized", message: "denied" };
    const view = open(null, { [uploadCall]: { status: 400, body: refusal } });
    await choose("me.jpg", "image/jpeg");
    await save();
    expect(await screen.findByText(/You can upload 20 pictures an hour/)).toBeVisible();
    expect(view.calls()).not.toContain(setCall);
  });

  it("is removed after a question", async () => {
    const view = open(`http://backend.test/x/${former}`);
    await userEvent.click(await (await group()).findByRole("button", { name: "Remove picture" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Keep my picture" }));
    expect(view.calls()).not.toContain(setCall);
    await userEvent.click((await group()).getByRole("button", { name: "Remove picture" }));
    const again = within(await screen.findByRole("alertdialog"));
    await userEvent.click(again.getByRole("button", { name: "Remove picture" }));
    expect(await screen.findAllByText("Your picture is removed.")).not.toHaveLength(0);
    expect(view.seen.find(({ call }) => call === setCall)?.body).toEqual({});
    expect(view.seen.find(({ call }) => call === deleteCall)?.body).toEqual({
      prefixes: [former],
    });
    expect(await shown()).toBeNull();
  });
});
