import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { ConfirmDialog } from "./dialog.tsx";
import { Menu, MenuItem } from "./menu.tsx";
import { useKeepFocus } from "./use-keep-focus.ts";

function Queue() {
  const [items, setItems] = useState(["First report", "Second report"]);
  return (
    <section aria-labelledby="reports">
      <h2 id="reports">Reports</h2>
      {items.length === 0 ? <p>Nothing to decide.</p> : null}
      {items.map((item) => (
        <button key={item} type="button" onClick={() => setItems(items.slice(1))}>
          Keep {item}
        </button>
      ))}
    </section>
  );
}

/** Two pages after one another; the second takes a moment, as when its code is still loading. */
function Pages() {
  const [page, setPage] = useState<"form" | "loading" | "home">("form");
  if (page === "form") {
    return (
      <main id="main" tabIndex={-1}>
        <button type="button" onClick={() => setPage("loading")}>
          Sign in
        </button>
      </main>
    );
  }
  if (page === "loading") {
    return (
      <div>
        <p ref={() => void setTimeout(() => setPage("home"))}>Loading</p>
      </div>
    );
  }
  return (
    <main key="home" id="main" tabIndex={-1}>
      <h1>Welcome</h1>
    </main>
  );
}

function Root({ children }: { readonly children: React.ReactNode }) {
  useKeepFocus();
  return children;
}

it("goes to the heading of the list whose last button was pressed", async () => {
  render(
    <Root>
      <main id="main" tabIndex={-1}>
        <Queue />
      </main>
    </Root>,
  );
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("heading", { name: "Reports" })).toHaveFocus());
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  expect(screen.getByText("Nothing to decide.")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("heading", { name: "Reports" })).toHaveFocus());
});

it("goes to the next page's content once it is there", async () => {
  render(
    <Root>
      <Pages />
    </Root>,
  );
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  await screen.findByRole("heading", { name: "Welcome" });
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
});

it("returns to the button of the menu that a window was opened from", async () => {
  function Actions() {
    const [asking, setAsking] = useState(false);
    return (
      <main id="main" tabIndex={-1}>
        <Menu trigger={<button type="button">More</button>}>
          <MenuItem onSelect={() => setAsking(true)}>Delete</MenuItem>
        </Menu>
        <ConfirmDialog
          open={asking}
          onOpenChange={setAsking}
          title="Delete?"
          description="It is gone then."
          confirmLabel="Delete it"
          onConfirm={() => {}}
        />
      </main>
    );
  }
  render(
    <Root>
      <Actions />
    </Root>,
  );
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await screen.findByRole("alertdialog");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  await waitFor(() => expect(screen.getByRole("button", { name: "More" })).toHaveFocus());
});
