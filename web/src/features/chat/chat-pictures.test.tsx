import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, type Reply } from "@/app/testing/test-app.tsx";
import { heicNamedJpg } from "@/lib/testing/heic-photo.ts";
import { message } from "./testing/chat-rows.ts";
import { messageField, openChat, rowOf, setUpChatScreen } from "./testing/chat-screen.tsx";

setUpChatScreen();
beforeEach(() => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:picture");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
});

const uploadCall = "POST /storage/v1/object/message-pictures/";
const downloadCall = "GET /storage/v1/object/message-pictures/";
const picture = (name = "desk.jpg", type = "image/jpeg", size = 4) =>
  new File([new Uint8Array(size)], name, { type });
const field = () => screen.findByRole("group", { name: "Picture" });
const send = async () => userEvent.click(screen.getByRole("button", { name: "Send" }));
/** Goes round the `accept` filter, as dropping a file does. */
const choose = async (...files: File[]) => {
  await messageField();
  const input = document.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error("no field for a picture");
  await userEvent.setup({ applyAccept: false }).upload(input, files);
};

/** Opens the room; the storage answers an upload with `upload`. */
function open(
  situation: Parameters<typeof openChat>[0] = {},
  storage: { upload?: () => Reply; download?: Reply; blocked?: readonly string[] } = {},
) {
  const sent: Record<string, unknown>[] = [];
  const view = openChat({
    insert: (body) => {
      sent.push(body);
      const content = body["content"] === "" ? "Picture" : body["content"];
      return { status: 201, body: message(50, { ...body, content }) };
    },
    ...situation,
    reply: (call) => {
      if (call === "POST /rest/v1/rpc/my_blocks")
        return { body: (storage.blocked ?? []).map((member_id) => ({ member_id })) };
      if (call.startsWith(uploadCall)) return storage.upload?.() ?? { body: { Key: "k", Id: "i" } };
      if (call.startsWith(downloadCall))
        return storage.download ?? { bytes: new Uint8Array([1, 2, 3]) };
      return undefined;
    },
  });
  const uploads = () => view.calls().filter((call) => call.startsWith(uploadCall));
  return { ...view, sent, uploads };
}

describe("a picture in the message field", () => {
  it("is previewed, described and sent without a text, under the name of author and message", async () => {
    const view = open();
    expect(await screen.findByRole("button", { name: "Send" })).toBeDisabled();
    await choose(picture());
    const preview = within(await field());
    expect(await preview.findByRole("img")).toHaveAttribute("src", "blob:picture");
    await userEvent.type(preview.getByRole("textbox"), "  A tidy desk ");
    expect(view.uploads()).toEqual([]);
    await send();
    await waitFor(() => expect(view.sent).toHaveLength(1));
    const { id } = view.sent[0] ?? {};
    const name = `${adaId}-${String(id)}.jpg`;
    expect(view.uploads()).toEqual([uploadCall + name]);
    expect(view.sent[0]).toMatchObject({ content: "", picture: name, picture_alt: "A tidy desk" });
    expect(view.sent[0]?.["picture_width"]).toBeGreaterThan(0);
    expect(screen.queryByRole("group", { name: "Picture" })).not.toBeInTheDocument();
    const shown = await screen.findByRole("button", { name: "Open the picture: A tidy desk" });
    const row = shown.closest("article");
    await waitFor(() => expect(row).toHaveAttribute("data-delivery", "saved"));
    expect(row?.querySelector("[data-words]")).toBeNull();
    // Shown from memory: it is not loaded again.
    expect(view.calls().filter((call) => call.startsWith(downloadCall))).toEqual([]);
  });

  it("is pasted or dropped, and removed before it is sent", async () => {
    const view = open();
    const clipboardData = { files: [picture("image.png", "image/png")], getData: () => "" };
    fireEvent.paste(await messageField(), { clipboardData });
    await within(await field()).findByRole("img");
    await userEvent.click(screen.getByRole("button", { name: "Remove the picture" }));
    expect(screen.queryByRole("group", { name: "Picture" })).not.toBeInTheDocument();
    const dataTransfer = { files: [picture(), picture()], types: ["Files"] };
    fireEvent.dragOver(screen.getByRole("log"), { dataTransfer });
    expect(screen.getByText("Drop the picture to add it")).toBeVisible();
    fireEvent.drop(screen.getByRole("log"), { dataTransfer });
    await within(await field()).findByRole("img");
    expect(screen.getByText(/A message can have one picture/)).toBeVisible();
    await userEvent.type(await messageField(), "Look{Enter}");
    await waitFor(() => expect(view.sent).toMatchObject([{ content: "Look" }]));
    expect(view.uploads()).toHaveLength(1);
  });

  it("leaves a pasted text alone, also when a picture of it comes along", async () => {
    open();
    const clipboardData = { files: [picture()], getData: () => "Words" };
    fireEvent.paste(await messageField(), { clipboardData });
    expect(screen.queryByRole("group", { name: "Picture" })).not.toBeInTheDocument();
  });

  it("is a JPG, PNG or WebP under 20 MB that this browser can read, with a short description", async () => {
    const view = open();
    await choose(picture("a.gif", "image/gif"));
    expect(await screen.findByText("Please choose a JPG, PNG or WebP picture.")).toBeVisible();
    await choose(picture("a.png", "image/png", 20 * 1024 * 1024));
    expect(await screen.findByText("The picture must be smaller than 20 MB.")).toBeVisible();
    const read = vi.spyOn(globalThis, "createImageBitmap").mockRejectedValue(new Error("no"));
    await choose(picture());
    expect(await screen.findByText(/We couldn't read this picture/)).toBeVisible();
    await choose(heicNamedJpg());
    expect(await screen.findByText(/This is a HEIC photo.*Export it as a JPG/)).toBeVisible();
    read.mockRestore();
    await choose(picture());
    await within(await field()).findByRole("img");
    expect(screen.queryByText(/We couldn't read this picture/)).not.toBeInTheDocument();
    fireEvent.change(within(await field()).getByRole("textbox"), {
      target: { value: "x".repeat(301) },
    });
    expect(await screen.findByText("Descriptions can have up to 300 characters.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
    expect(view.uploads()).toEqual([]);
  });

  it("comes back with its description when it was refused, and goes under the same name again", async () => {
    const refusal = { statusCode: "403", error: "Unauthorized", message: "denied" };
    const replies: Reply[] = [
      { status: 400, body: refusal },
      { status: 400, body: { statusCode: "409", error: "Duplicate", message: "exists" } },
    ];
    const view = open({}, { upload: () => replies.shift() ?? { status: 500 } });
    await choose(picture());
    await userEvent.type(within(await field()).getByRole("textbox"), "A desk");
    await send();
    expect(await screen.findByText(/You can send 30 pictures an hour/)).toHaveTextContent(
      /^Your message wasn't sent\. The picture is back/,
    );
    expect(within(await field()).getByRole("textbox")).toHaveValue("A desk");
    expect(view.sent).toEqual([]);
    await send();
    // It was stored already: the message is sent with it.
    await waitFor(() => expect(view.sent).toHaveLength(1));
    const [first, second] = view.uploads();
    expect(second).toBe(first);
  });

  it("waits for a connection with its message", async () => {
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const view = open();
    await choose(picture());
    await within(await field()).findByRole("img");
    await send();
    expect(await screen.findByText("Waiting for a connection")).toBeVisible();
    expect(view.uploads()).toEqual([]);
    online.mockReturnValue(true);
    fireEvent(window, new Event("online"));
    await waitFor(() => expect(view.sent).toHaveLength(1));
    expect(view.uploads()).toHaveLength(1);
  });
});

describe("the picture of a message", () => {
  const shown = {
    content: "Picture",
    picture: "ben-1.jpg",
    picture_width: 1600,
    picture_height: 800,
    picture_alt: "A tidy desk",
  };

  it("has its place before it is loaded, and opens large", async () => {
    const view = open({ messages: [message(1, shown), message(2, { ...shown, content: "Look" })] });
    const [first] = await screen.findAllByRole("button", {
      name: "Open the picture: A tidy desk",
    });
    if (!first) throw new Error("no picture");
    expect(first.parentElement).toHaveStyle({ width: "420px", aspectRatio: "2" });
    // One picture, one request: both rows name the same.
    expect(view.calls().filter((call) => call.startsWith(downloadCall))).toHaveLength(1);
    expect(screen.queryByText("Picture")).not.toBeInTheDocument();
    expect((await rowOf("Look")).getByRole("img")).toHaveAttribute("alt", "A tidy desk");
    await userEvent.click(first);
    const dialog = within(await screen.findByRole("dialog", { name: "Picture from Ben Hur" }));
    expect(dialog.getByRole("img", { name: "A tidy desk" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(first).toHaveFocus();
  });

  it("says when it cannot be loaded, and is asked for again", async () => {
    const download: { status?: number; body?: unknown; bytes?: Uint8Array<ArrayBuffer> } = {
      status: 400,
      body: { statusCode: "404", error: "not_found", message: "Object not found" },
    };
    open({ messages: [message(1, shown)] }, { download });
    const again = await screen.findByRole("button", { name: /couldn't be loaded/ });
    Object.assign(download, { status: 200, bytes: new Uint8Array([1]) });
    await userEvent.click(again);
    expect(await screen.findByRole("button", { name: /^Open the picture/ })).toBeVisible();
  });

  it("is folded away with the message of a blocked member", async () => {
    open({ messages: [message(1, shown)] }, { blocked: ["ben"] });
    const show = await screen.findByRole("button", { name: "Show" });
    expect(screen.queryByRole("button", { name: /^Open the picture/ })).not.toBeInTheDocument();
    await userEvent.click(show);
    expect(await screen.findByRole("button", { name: /^Open the picture/ })).toBeVisible();
  });
});
