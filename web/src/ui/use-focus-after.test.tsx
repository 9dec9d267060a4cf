import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode, useState } from "react";
import { expect, it } from "vitest";
import { useFocusAfter } from "./use-focus-after.ts";

function Form({ onDone, target }: { readonly onDone: () => void; readonly target: string }) {
  const form = useFocusAfter<HTMLDivElement>(() => document.getElementById(target));
  return (
    <div ref={form}>
      <button type="button" onClick={onDone}>
        Cancel
      </button>
      <button type="button" onClick={() => document.getElementById("elsewhere")?.focus()}>
        Go on
      </button>
    </div>
  );
}

function Page({ target = "change" }: { readonly target?: string }) {
  const [open, setOpen] = useState(false);
  return (
    <main id="main" tabIndex={-1}>
      {open ? (
        <Form target={target} onDone={() => setOpen(false)} />
      ) : (
        <button type="button" id="change" onClick={() => setOpen(true)}>
          Change
        </button>
      )}
      <input id="elsewhere" aria-label="Elsewhere" onChange={() => setOpen(false)} />
    </main>
  );
}

/** In strict mode, which runs what happens at the end once at the beginning too. */
async function open(target?: string) {
  render(
    <StrictMode>
      <Page {...(target && { target })} />
    </StrictMode>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Change" }));
  expect(document.body).toHaveFocus();
}

it("gives the focus of what went away to the control that takes its place", async () => {
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("button", { name: "Change" })).toHaveFocus();
});

it("gives it to the page's content when that control isn't there", async () => {
  await open("nothing");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("main")).toHaveFocus();
});

it("leaves it where one has gone meanwhile", async () => {
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Go on" }));
  await userEvent.keyboard("x");
  expect(screen.getByRole("button", { name: "Change" })).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Elsewhere" })).toHaveFocus();
});
