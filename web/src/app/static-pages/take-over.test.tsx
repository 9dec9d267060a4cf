import { act } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeOver } from "./take-over.ts";

const form = (submit: string) => `
  <div id="root"><div id="static-page">
    <form>
      <input name="email" type="email" value="" aria-label="E-mail" />
      <input name="password" type="password" aria-label="Password" />
      <button type="button">Show password</button>
      <button type="button" ${submit}>Sign in</button>
    </form>
  </div></div>`;

let root: Root;
let sent: unknown[] = [];

function Form() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent.push({ email, password });
      }}
    >
      <input name="email" type="email" value={email} onChange={(e) => setEmail(e.target.value)} />
      <input
        name="password"
        type="password"
        value={password}
        onChange={(e) => setPassword(e.target.value)}
      />
      <button type="button">Show password</button>
      <button type="submit">Sign in</button>
      <output>{email}</output>
    </form>
  );
}

function start(html: string): HTMLElement {
  document.body.innerHTML = html;
  const place = document.getElementById("root");
  if (place === null) throw new Error("no root");
  root = createRoot(takeOver(place, "[data-loading-page]"));
  return place;
}

const show = async (page: React.ReactNode) => await act(async () => root.render(page));
const fieldNamed = (name: string) =>
  document.querySelector<HTMLInputElement>(`#root input[name="${name}"]`);

beforeEach(() => {
  sent = [];
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = "";
});

describe("the app on a static page", () => {
  it("stays out of sight while it has no page", async () => {
    start(form(""));
    await show(<main data-loading-page />);
    expect(document.querySelector("#static-page")).not.toBeNull();
    expect(document.querySelector("[data-loading-page]")).toBeNull();
    await show(<Form />);
    expect(document.querySelector("#static-page")).toBeNull();
    expect(document.querySelector("output")).not.toBeNull();
  });

  it("goes on with what was typed, where it was typed", async () => {
    start(form(""));
    const user = userEvent.setup();
    const email = fieldNamed("email");
    if (email === null) throw new Error("no field");
    await user.type(email, "ada@example.com");
    const left = new Promise((resolve) => {
      email.addEventListener("blur", ({ relatedTarget }) => resolve(relatedTarget));
    });
    await show(<Form />);
    expect(document.querySelector("output")?.textContent).toBe("ada@example.com");
    // From field to field, with no moment in which a letter would go nowhere.
    expect(await left).toBe(fieldNamed("email"));
    expect(document.activeElement).toBe(fieldNamed("email"));
  });

  it("does what was pressed", async () => {
    start(form("data-pressed"));
    const password = fieldNamed("password");
    if (password) password.value = "correct horse";
    await show(<Form />);
    await expect.poll(() => sent).toEqual([{ email: "", password: "correct horse" }]);
  });

  it("does what Enter does in the field, also where the button is barred", async () => {
    start(form('data-pressed="Enter"'));
    fieldNamed("password")?.focus();
    const told: string[] = [];
    await show(
      <form>
        <input name="email" type="email" />
        <input name="password" type="password" onKeyDown={({ key }) => told.push(key)} />
        <button type="button">Show password</button>
        <button type="submit" disabled>
          Sign in
        </button>
      </form>,
    );
    await expect.poll(() => told).toEqual(["Enter"]);
  });

  it("waits for the finger that is down and for the word that is being composed", async () => {
    for (const [begin, end] of [
      ["pointerdown", "pointerup"],
      ["compositionstart", "compositionend"],
    ] as const) {
      start(form(""));
      document.dispatchEvent(new Event(begin));
      await show(<Form />);
      expect(document.querySelector("#static-page")).not.toBeNull();
      document.dispatchEvent(new Event(end));
      await expect.poll(() => document.querySelector("#static-page")).toBeNull();
      await act(async () => root.unmount());
    }
  });

  it("waits for the finger that was down before it came", async () => {
    start(form("").replace('id="static-page"', 'id="static-page" data-busy'));
    await show(<Form />);
    expect(document.querySelector("#static-page")).not.toBeNull();
    document.dispatchEvent(new Event("pointerup"));
    await expect.poll(() => document.querySelector("#static-page")).toBeNull();
  });

  it("shows at once that it is loading to those whom the page is not for", async () => {
    const place = start(form("").replace('id="static-page"', 'id="static-page" hidden'));
    await show(<main data-loading-page />);
    expect(place.querySelector("[data-loading-page]")).not.toBeNull();
    expect(document.querySelector("#static-page")).toBeNull();
  });
});
