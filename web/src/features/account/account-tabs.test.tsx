import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { followAppearance, setAppearance } from "@/lib/appearance.ts";

const open = (address: string) =>
  renderApp(address, { session: sessionOf(), rows: memberRows({ level: 1 }) });
const headings = () => screen.getAllByRole("heading", { level: 2 }).map((each) => each.textContent);

describe("the account", () => {
  it.each([
    ["/account", "Profile", "Profile"],
    ["/account#goals", "Profile", "Goals"],
    ["/account#nothing", "Profile", "Appearance"],
    ["/account#notifications", "Notifications", "Notifications"],
    ["/account#directory", "Privacy", "Directory and profile"],
    ["/account#messages", "Privacy", "Direct messages"],
    ["/account#blocked", "Privacy", "Blocked members"],
    ["/account#sign-in", "Sign-in", "Password"],
    ["/account#second-factor", "Sign-in", "Second factor"],
    ["/account#data", "Data", "Delete account"],
  ])("at %s is at %s, where %s stands", async (address, tab, section) => {
    open(address);
    expect(await screen.findByRole("heading", { level: 2, name: section })).toBeVisible();
    const tabs = within(screen.getByRole("navigation", { name: "Account settings" }));
    const current = tabs.getAllByRole("link").filter((each) => each.ariaCurrent === "page");
    expect(current.map((each) => each.textContent.trim())).toEqual([tab]);
  });

  it("shows one tab at a time, and the way back is the browser's", async () => {
    open("/account");
    await userEvent.click(await screen.findByRole("link", { name: "Data" }));
    expect(headings()).toEqual(["Your data", "Delete account"]);
    window.history.back();
    expect(await screen.findByRole("heading", { level: 2, name: "Goals" })).toBeVisible();
    expect(headings()).not.toContain("Your data");
  });
});

describe("the appearance", () => {
  const root = document.documentElement;
  afterEach(() => setAppearance({ theme: "system", textSize: "normal" }));

  it("changes at once, and stays in this browser", async () => {
    open("/account#appearance");
    await userEvent.selectOptions(await screen.findByLabelText("Colours"), "Dark");
    await userEvent.selectOptions(screen.getByLabelText("Text size"), "Larger");
    expect([root.dataset["theme"], root.style.fontSize]).toEqual(["dark", "125%"]);
    delete root.dataset["theme"];
    root.style.fontSize = "";
    followAppearance(window);
    expect([root.dataset["theme"], root.style.fontSize]).toEqual(["dark", "125%"]);
  });

  it("follows the device again, also when another tab says so", async () => {
    setAppearance({ theme: "light" });
    followAppearance(window);
    open("/account#appearance");
    expect(await screen.findByLabelText("Colours")).toHaveValue("light");
    localStorage.setItem("fourfold-appearance", "something an older version wrote");
    window.dispatchEvent(new StorageEvent("storage", { key: "fourfold-appearance" }));
    expect(await screen.findByDisplayValue("Same as this device")).toBeVisible();
    expect(root.dataset["theme"]).toBeUndefined();
  });
});
