import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderPage, sessionOf } from "@/app/testing/test-app.tsx";
import { ReviewQueue } from "./components/review-queue.tsx";

afterEach(() => void vi.unstubAllGlobals());

const waiting = (name: string) => ({
  id: name,
  user_id: `u-${name}`,
  email: `${name.toLowerCase()}@example.com`,
  first_name: name,
  last_name: "Hopper",
  document_type: "passport",
  document_url: `u-${name}-verification-1.png`,
  submitted_at: "2026-11-20T10:00:00+00:00",
  rejections: 0,
  document_version: `version-${name}`,
  document_state: "missing",
});

async function openFirst() {
  renderPage(<ReviewQueue />, {
    session: sessionOf(),
    reply: ({ call }) =>
      call.endsWith("/rpc/verification_queue")
        ? { body: [waiting("Grace"), waiting("Alan")] }
        : undefined,
  });
  const rows = [
    await screen.findByRole("button", { name: /^Grace Hopper/ }),
    screen.getByRole("button", { name: /^Alan Hopper/ }),
  ] as const;
  rows[0].focus();
  await userEvent.keyboard("{Enter}");
  return { rows, reject: await screen.findByRole("button", { name: "Reject" }) };
}

describe("the open document", () => {
  it("stands beside the rows, and J leads on from it", async () => {
    const { rows, reject } = await openFirst();
    const panel = within(screen.getByRole("region", { name: "The open document" }));
    expect(panel.getByRole("button", { name: "Reject" })).toBe(reject);
    expect(rows[0].closest("li")).not.toContainElement(reject);
    reject.focus();
    await userEvent.keyboard("j");
    expect(rows[1]).toHaveFocus();
    // The next one is not opened by itself.
    expect(rows[0]).toHaveAttribute("aria-expanded", "true");
  });

  it("stands below its row on a phone", async () => {
    const media = { matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() };
    vi.stubGlobal("matchMedia", () => media);
    const { rows, reject } = await openFirst();
    expect(rows[0].closest("li")).toContainElement(reject);
    expect(screen.queryByRole("region", { name: "The open document" })).not.toBeInTheDocument();
  });
});
