import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const exportCall = "POST /rest/v1/rpc/export_my_data";
/** What the page said of how an export ended. */
const notes: unknown[] = [];
const nothingWritten: Reply = { body: { items: [], next: null } };
/**
 * The account page; `answer` is what the server says to an export, `versions` to each page of what a mentor saved. No file can be
 * read.
 */
const open = (answer: Reply, versions: (body: unknown) => Reply = () => nothingWritten) =>
  renderApp("/account#data", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call, body }) => {
      if (call === exportCall) return answer;
      if (call.endsWith("/rpc/export_my_versions")) return versions(body);
      if (call.endsWith("/rpc/note_my_export")) notes.push(body);
      return call.includes("/storage/v1/object/") ? { status: 500 } : undefined;
    },
  });

describe("the address one signs in with", () => {
  it("is the one the server has, not the one this browser's session began with", async () => {
    renderApp("/account#sign-in", {
      session: sessionOf("old@example.com"),
      rows: memberRows(),
      reply: ({ call }) =>
        call === "GET /auth/v1/user" ? { body: sessionOf("new@example.com").user } : undefined,
    });
    expect(await screen.findByText("new@example.com")).toBeVisible();
  });

  it("is the session's while the server does not answer", async () => {
    renderApp("/account#sign-in", {
      session: sessionOf("old@example.com"),
      rows: memberRows(),
      reply: ({ call }) => (call === "GET /auth/v1/user" ? { status: 500 } : undefined),
    });
    expect(await screen.findByText("old@example.com")).toBeVisible();
  });
});

describe("exporting one's data", () => {
  const files: Blob[] = [];
  beforeEach(() => {
    files.length = 0;
    notes.length = 0;
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
      files.push(file as Blob);
      return "blob:data";
    });
    vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  });
  afterEach(() => vi.restoreAllMocks());

  it("saves it as one archive", async () => {
    open({ body: { profile: { first_name: "Ada" }, files: [] } });
    await userEvent.click(await screen.findByRole("button", { name: "Export my data" }));
    expect(await screen.findByText("Your data was saved as a file.")).toBeVisible();
    expect(files[0]?.type).toBe("application/zip");
    const text = await files[0]?.text();
    expect(text).toContain("data.json");
    expect(text).toContain('"first_name": "Ada"');
    await waitFor(() => expect(notes).toEqual([{}]));
  });

  it("adds a mentor's versions page after page, each as a file", async () => {
    open({ body: { files: [] } }, (body) => {
      if (Reflect.get(Object(body), "kind") !== "draft") return nothingWritten;
      const isSecond = Reflect.get(Object(body), "after_version") === 7;
      return isSecond
        ? { body: { items: [{ title: "The last save" }], next: null } }
        : { body: { items: [{ title: "The first save" }], next: { id: "d1", version: 7 } } };
    });
    await userEvent.click(await screen.findByRole("button", { name: "Export my data" }));
    expect(await screen.findByText("Your data was saved as a file.")).toBeVisible();
    const text = (await files[0]?.text()) ?? "";
    const places = ["versions/drafts-1.json", "The first save", "versions/drafts-2.json"];
    const found = [...places, "The last save"].map((each) => text.indexOf(each));
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(found).not.toContain(-1);
    expect(text).not.toContain("versions/courses");
  });

  it("does not save half of it when a page fails", async () => {
    open({ body: { files: [] } }, () => ({
      status: 500,
      body: { code: "XX000", message: "boom" },
    }));
    await userEvent.click(await screen.findByRole("button", { name: "Export my data" }));
    expect(await screen.findByText(/couldn't be exported/)).toBeVisible();
    expect(files).toEqual([]);
  });

  const file = { bucket: "learning-images", name: "a.png", updated_at: "2026-11-22T20:00:00Z" };

  it("saves the rest when the server cannot read a file, and lists it in the archive", async () => {
    open({ body: { files: [file] } });
    await userEvent.click(await screen.findByRole("button", { name: "Export my data" }));
    expect(await screen.findByText(/One of your files couldn.t be read/)).toBeVisible();
    const text = await files[0]?.text();
    expect(text).toContain("missing-files.txt");
    expect(text).toContain("learning-images/a.png");
    await waitFor(() => expect(notes).toEqual([{ failed_step: "files" }]));
  });

  it("says when it was asked for too often", async () => {
    open({ status: 400, body: { code: "FF300", message: "too fast", details: "3000" } });
    await userEvent.click(await screen.findByRole("button", { name: "Export my data" }));
    expect(await screen.findByText(/Try again in an hour/)).toBeVisible();
    expect(notes).toEqual([]);
  });

  it("says when it did not work", async () => {
    open({ status: 500, body: { code: "XX000", message: "boom" } });
    await userEvent.click(await screen.findByRole("button", { name: "Export my data" }));
    expect(await screen.findByText(/couldn't be exported/)).toBeVisible();
    expect(files).toEqual([]);
    await waitFor(() => expect(notes).toEqual([{ failed_step: "rows" }]));
  });
});

describe("deleting one's account", () => {
  const call = "POST /functions/v1/delete-my-account";
  const openWith = (answer: Reply, role = "student") =>
    renderApp("/account#data", {
      session: sessionOf(),
      rows: memberRows({ role }),
      reply: (request) => (request.call === call ? answer : undefined),
    });

  async function confirm() {
    await userEvent.click(await screen.findByRole("button", { name: "Delete my account" }));
    const last = screen.getByRole("button", { name: "Delete account" });
    expect(last).toBeDisabled();
    await userEvent.type(screen.getByLabelText("Your password"), "Correct-Horse-42!");
    await userEvent.click(last);
  }

  it("asks for the password, and signs out once it is done", async () => {
    const { seen } = openWith({ body: { message: "Your account has been deleted" } });
    await confirm();
    expect(await screen.findByText("Your account has been deleted.")).toBeVisible();
    expect(await screen.findByRole("button", { name: "SIGN UP" })).toBeVisible();
    const body = seen.find((request) => request.call === call)?.body;
    expect(body).toEqual({ password: "Correct-Horse-42!" });
  });

  it("says why it was not done", async () => {
    openWith({ status: 403, body: { error: "This is not your password." } });
    await confirm();
    expect(await screen.findByText("This is not your password.")).toBeVisible();
  });

  it("says beforehand that a withdrawal would bring money back, and where", async () => {
    renderApp("/account#data", {
      session: sessionOf(),
      rows: memberRows(),
      reply: (request) =>
        request.call.endsWith("/rpc/my_withdrawal_right")
          ? {
              body: [
                {
                  subscription_id: "sub_1",
                  ends_at: "2026-12-12T00:00:00+00:00",
                  amount_pence: 5000,
                  currency: "gbp",
                },
              ],
            }
          : undefined,
    });
    await userEvent.click(await screen.findByRole("button", { name: "Delete my account" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(
      await dialog.findByText(/until the end of 11 December 2026 and get £50 back/),
    ).toBeVisible();
    expect(dialog.queryByText(/published articles and courses stay/)).toBeNull();
    expect(dialog.getByRole("link", { name: "Withdraw first" })).toHaveAttribute(
      "href",
      "/subscriptions",
    );
  });

  it("says that a claim under the guarantee goes undecided", async () => {
    const claim = {
      id: "55555555-5555-4555-8555-555555555555",
      state: "filed",
      monthly_pence: 170_000,
      statement: "Payslip",
      lines: [],
      filed_at: "2026-11-20T10:00:00+00:00",
      reason: null,
      decided_at: null,
      appeal_until: null,
      appeal: null,
      appealed_at: null,
    };
    renderApp("/account#data", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) => (call.endsWith("/rpc/my_guarantee_claim") ? { body: claim } : undefined),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Delete my account" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(await dialog.findByText(/^Your claim under the guarantee is waiting/)).toBeVisible();
  });

  it("says to a mentor what becomes of published work", async () => {
    openWith({}, "mentor");
    await userEvent.click(await screen.findByRole("button", { name: "Delete my account" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText(/earnings that haven't been paid out/)).toBeVisible();
    expect(await dialog.findByText(/published articles and courses stay/)).toBeVisible();
    expect(dialog.queryByText("Withdraw first")).toBeNull();
  });

  it("is not offered to administrators", async () => {
    openWith({}, "admin");
    expect(await screen.findByRole("button", { name: "Export my data" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Delete my account" })).toBeNull();
  });
});
