import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { vi } from "vitest";

/** What the palette's list needs and this document does not have. */
export function stubResizeObserver(): void {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
}

/** Opens the search by its key. */
export async function openPalette(key = "{Control>}k{/Control}"): Promise<HTMLElement> {
  await screen.findByRole("button", { name: "Search" });
  await userEvent.keyboard(key);
  return screen.findByRole("dialog", { name: "Search" });
}
