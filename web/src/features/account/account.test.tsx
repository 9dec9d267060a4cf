import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/test-app.tsx";

const exportCall = "POST /rest/v1/rpc/export_my_data";
const open = (answer: Reply) =>
  renderApp("/account", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => (call === exportCall ? answer : undefined),
  });

describe("the address one signs in with", () => {
  it("is the one the server has, not the one this browser's session began with", async () => {
    renderApp("/account", {
      session: sessionOf("old@example.com"),
      rows: memberRows(),
      reply: ({ call }) =>
        call === "GET /auth/v1/user" ? { body: sessionOf("new@example.com").user } : undefined,
    });
    expect(await screen.findByText("new@example.com")).toBeVisible();
  });

  it("is the session's while the server does not answer", async () => {
    renderApp("/account", {
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
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    vi.stubGlobal(
      "URL",
      Object.assign(URL, {
        createObjectURL: (file: Blob) => {
          files.push(file);
          return "blob:data";
        },
        revokeObjectURL: () => {},
      }),
    );
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("saves it as a file", async () => {
    open({ body: { profile: { first_name: "Ada" } } });
    await userEvent.click(await screen.findByRole("button", { name: "Export my data" }));
    expect(await screen.findByText("Your data was saved as a file.")).toBeVisible();
    expect(JSON.parse((await files[0]?.text()) ?? "")).toEqual({ profile: { first_name: "Ada" } });
  });

  it("says when it did not work", async () => {
    open({ status: 500, body: { code: "XX000", message: "boom" } });
    await userEvent.click(await screen.findByRole("button", { name: "Export my data" }));
    expect(await screen.findByText(/could not be exported/)).toBeVisible();
    expect(files).toEqual([]);
  });
});
