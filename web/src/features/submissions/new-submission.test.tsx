import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { heicNamedJpg } from "@/lib/testing/heic-photo.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  sessionStorage.clear();
});

const insert = "POST /rest/v1/learning_submissions";

const storedRow = {
  id: "s1",
  user_id: adaId,
  submission_type: "failure",
  title: "Lost a client",
  content: "I answered too late.",
  image_url: null,
  is_featured: false,
  like_count: 0,
  comment_count: 0,
  created_at: "2026-11-20T10:00:00+00:00",
  edited_at: null,
  author: { id: adaId, first_name: "Ada", last_name: "Byron", role: "student", occupation: null },
  likes: [],
};

function open({ replies = {} }: { readonly replies?: Record<string, Reply> } = {}) {
  const world = { replies };
  const view = renderApp("/learning/create", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => {
      const fixed = world.replies[call];
      if (fixed) return fixed;
      if (call.startsWith("POST /storage/v1/object/learning-images/")) {
        return { body: { Key: "k", Id: "i" } };
      }
      return undefined;
    },
  });
  return { ...view, world };
}

const file = (name: string, type: string, size = 4) =>
  new File([new Uint8Array(size)], name, { type });
/** Goes round the `accept` filter, as dropping a file does. */
const choose = async (chosen: File) =>
  userEvent
    .setup({ applyAccept: false })
    .upload(await screen.findByLabelText("Image (optional)"), chosen);
const send = () => userEvent.click(screen.getByRole("button", { name: "Submit" }));

async function fill() {
  await userEvent.click(await screen.findByRole("radio", { name: /Failure/ }));
  await userEvent.type(screen.getByLabelText("Title"), "  Lost a client ");
  await userEvent.type(screen.getByLabelText("Content"), " I answered too late. ");
}

describe("/learning/create", () => {
  it("asks for type, title and content; a pact cannot be picked", async () => {
    const { calls } = open();
    const radios = await screen.findAllByRole<HTMLInputElement>("radio");
    expect(radios.map((radio) => radio.value)).toEqual([
      "progress_report",
      "before_after",
      "failure",
      "success",
    ]);
    await send();
    expect(await screen.findByText("Please fill in all required fields.")).toBeVisible();
    expect(radios[0]).toHaveFocus();
    expect(calls()).not.toContain(insert);
  });

  it("takes a pasted picture, but none that comes with words", async () => {
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:x");
    vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
    open();
    const content = await screen.findByLabelText("Content");
    const paste = (pasted: File, words = "") =>
      fireEvent.paste(content, { clipboardData: { files: [pasted], getData: () => words } });
    const picture = file("image.png", "image/png");
    paste(picture, "Words");
    expect(screen.queryByRole("img", { name: "Preview of your upload" })).not.toBeInTheDocument();
    paste(file("a.pdf", "application/pdf"));
    expect(await screen.findByText("Please upload a JPG or PNG image.")).toBeVisible();
    paste(picture);
    expect(await screen.findByRole("img", { name: "Preview of your upload" })).toBeVisible();
    expect(screen.queryByText("Please upload a JPG or PNG image.")).not.toBeInTheDocument();
  });

  it("says that a photo named JPG is HEIC, and keeps what was written", async () => {
    const { calls } = open();
    await fill();
    const read = vi
      .spyOn(globalThis, "createImageBitmap")
      .mockRejectedValue(new Error("no picture"));
    await choose(heicNamedJpg());
    await send();
    expect(await screen.findByText(/This is a HEIC photo.*Export it as a JPG/)).toBeVisible();
    expect(screen.getByLabelText("Content")).toHaveValue(" I answered too late. ");
    expect(calls()).not.toContain(insert);
    read.mockRestore();
  });

  it("sends trimmed text, confirms it, and redirects to the feed after 1.5 seconds", async () => {
    const { seen } = open();
    await fill();
    const before = Date.now();
    await send();
    expect(await screen.findByText("Submission created successfully!")).toBeVisible();
    expect(seen.find(({ call }) => call === insert)?.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: adaId,
      submission_type: "failure",
      title: "Lost a client",
      content: "I answered too late.",
      image_url: null,
    });
    expect(window.location.pathname).toBe("/learning/create");
    await waitFor(() => expect(window.location.pathname).toBe("/learning/submissions"));
    expect(Date.now() - before).toBeGreaterThanOrEqual(1490);
    expect(sessionStorage).toHaveLength(0);
  });

  it("shows what was shared below the confirmation, and the shape of the feed until it is there", async () => {
    const stored = Promise.withResolvers<undefined>();
    const view = renderApp("/learning/create", {
      session: sessionOf(),
      rows: memberRows(),
      reply: async ({ call }) => {
        if (call !== "GET /rest/v1/learning_submissions") return undefined;
        await stored.promise;
        return { body: [storedRow] };
      },
    });
    await fill();
    await send();
    expect(await screen.findByText("Submission created successfully!")).toBeVisible();
    expect(screen.getByText("Loading submissions")).toBeInTheDocument();
    stored.resolve(undefined);
    expect(await screen.findByRole("article", { name: "Lost a client" })).toHaveTextContent(
      "I answered too late.",
    );
    expect(window.location.pathname).toBe("/learning/create");
    view.unmount();
  });

  it("takes JPG and PNG under 5 MB, stores the picture first and sends its public address", async () => {
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:x");
    vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
    const { seen } = open();
    await fill();
    await choose(file("a.gif", "image/gif"));
    expect(await screen.findByText("Please upload a JPG or PNG image.")).toBeVisible();
    await choose(file("a.png", "image/png", 5 * 1024 * 1024 + 1));
    expect(await screen.findByText("Image size must be less than 5MB.")).toBeVisible();
    await choose(file("a.png", "image/png"));
    expect(screen.queryByText("Image size must be less than 5MB.")).not.toBeInTheDocument();
    await send();
    expect(await screen.findByText("Submission created successfully!")).toBeVisible();
    const upload = seen.findIndex(({ call }) => call.includes("/object/learning-images/"));
    const name = /[^/]+$/.exec(seen[upload]?.call ?? "")?.[0];
    expect(name).toMatch(new RegExp(`^${adaId}-\\d+\\.png$`));
    const made = seen.findIndex(({ call }) => call === insert);
    expect(made).toBeGreaterThan(upload);
    expect(seen[made]?.body).toMatchObject({
      image_url: `http://backend.test/storage/v1/object/public/learning-images/${name}`,
    });
  });

  it("keeps the form after a failure and a reload, and retries with the same id", async () => {
    const view = open({ replies: { [insert]: { status: 500, body: { message: "no" } } } });
    await fill();
    await send();
    expect(await screen.findByText("Failed to create submission. Please try again.")).toBeVisible();
    expect(screen.getByLabelText("Title")).toHaveValue("  Lost a client ");
    view.world.replies = {};
    await send();
    expect(await screen.findByText("Submission created successfully!")).toBeVisible();
    const ids = view.seen
      .filter(({ call }) => call === insert)
      .map(({ body }) => (body as { id: string }).id);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
  });

  it("says that it failed for want of a connection, and what becomes of the text", async () => {
    open({ replies: { [insert]: { status: 500, body: { message: "no" } } } });
    await fill();
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    onTestFinished(() => onLine.mockRestore());
    await send();
    const alert = await screen.findByText(/^You're offline. What you wrote is kept/);
    expect(alert.parentElement).toHaveTextContent(/^Failed to create submission\./);
  });

  it("restores the draft of this tab", async () => {
    const view = open();
    await fill();
    view.unmount();
    open();
    expect(await screen.findByLabelText("Title")).toHaveValue("  Lost a client ");
    expect(screen.getByLabelText("Content")).toHaveValue(" I answered too late. ");
    expect(screen.getByRole("radio", { name: /Failure/ })).toBeChecked();
  });
});
