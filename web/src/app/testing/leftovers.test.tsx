import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { toast as shownToasts } from "sonner";
import { expect, it, vi } from "vitest";
import { toast } from "@/ui/toast.tsx";
import { renderApp } from "./test-app.tsx";

/** Everything that a test could find of the one before. */
function pageAsFound() {
  return {
    body: document.body.innerHTML,
    attributes: [document.documentElement, document.body].flatMap((each) =>
      each.getAttributeNames(),
    ),
    title: document.title,
    address: window.location.pathname + window.location.search,
    entry: window.history.state as unknown,
    stored: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
    toasts: shownToasts.getToasts().length,
    clipboard: "clipboard" in navigator,
    stubbed: "ResizeObserver" in globalThis,
    clockHeld: vi.isFakeTimers(),
    silenced: vi.isMockFunction(console.error),
  };
}

it.each(["first", "second"])(
  "finds the page as the worker made it, whatever the test before left: the %s",
  async () => {
    expect(pageAsFound()).toEqual({
      body: "",
      attributes: [],
      title: "",
      address: "/",
      entry: null,
      stored: [],
      toasts: 0,
      clipboard: false,
      stubbed: false,
      clockHeld: false,
      silenced: false,
    });

    userEvent.setup();
    renderApp("/auth?from=here");
    expect(await screen.findByRole("heading", { name: "Welcome" })).toBeVisible();
    toast.info("Told in this test");
    localStorage.setItem("kept", "1");
    sessionStorage.setItem("kept", "1");
    document.documentElement.dataset["theme"] = "dark";
    document.body.style.pointerEvents = "none";
    document.body.append(document.createElement("aside"));
    vi.stubGlobal("ResizeObserver", vi.fn());
    vi.spyOn(console, "error").mockReturnValue();
    vi.useFakeTimers();
    expect(pageAsFound()).toMatchObject({ toasts: 1, clipboard: true, clockHeld: true });
  },
);

it.each(["first", "second"])(
  "draws frames although a control that had the focus went away while a test held the clock: the %s",
  async () => {
    await new Promise(requestAnimationFrame);
    vi.useFakeTimers();
    const { unmount } = render(<button type="button">Gone</button>);
    screen.getByRole("button").focus();
    unmount();
  },
);

it("tells a router, a client and a cache that their test is over", async () => {
  const heard: string[] = [];
  const { takeLeftoversAway } = await import("./leftovers.ts");
  const { client, router } = renderApp("/auth");
  await screen.findByRole("heading", { name: "Welcome" });
  client.auth.onAuthStateChange((event) => void heard.push(event));
  router.subscribe(({ location }) => void heard.push(location.pathname));
  await takeLeftoversAway();
  heard.length = 0;
  window.history.pushState(null, "", "/signin");
  window.dispatchEvent(new PopStateEvent("popstate"));
  await client.auth.signOut({ scope: "local" });
  expect(heard).toEqual([]);
});
