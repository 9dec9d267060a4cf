import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { Alert } from "./alert.tsx";
import { initialsOf } from "./avatar.tsx";
import { Button } from "./button.tsx";
import { CheckboxField } from "./checkbox-field.tsx";
import { ConfirmDialog } from "./dialog.tsx";
import { FileDrop, formatBytes } from "./file-drop.tsx";
import { LevelStrip } from "./level-strip.tsx";
import { PasswordField } from "./password-field.tsx";
import { ProgressRing } from "./progress.tsx";
import { SelectField } from "./select-field.tsx";
import { TextArea, TextField } from "./text-field.tsx";

describe("fields", () => {
  it.each([
    ["text", <TextField key="t" label="Name" hint="As printed" error="Too short" />],
    ["area", <TextArea key="a" label="Name" hint="As printed" error="Too short" />],
    ["password", <PasswordField key="p" label="Name" hint="As printed" error="Too short" />],
    [
      "select",
      <SelectField key="s" label="Name" hint="As printed" error="Too short" options={[]} />,
    ],
    ["checkbox", <CheckboxField key="c" label="Name" hint="As printed" error="Too short" />],
  ])("tie label, hint and error to the control: %s", (_kind, field) => {
    render(field);
    const control = screen.getByLabelText("Name");
    expect(control).toHaveAccessibleDescription("As printed Too short");
    expect(control).toBeInvalid();
  });

  it("are valid and bare without them", () => {
    render(<TextField label="Name" />);
    expect(screen.getByLabelText("Name")).toBeValid();
    expect(screen.getByLabelText("Name")).not.toHaveAttribute("aria-describedby");
  });

  it("show a password on request", async () => {
    render(<PasswordField label="Password" />);
    await userEvent.click(screen.getByRole("button", { name: "Show password" }));
    expect(screen.getByLabelText("Password")).toHaveAttribute("type", "text");
    expect(screen.getByRole("button", { name: "Hide password" })).toBePressed();
  });

  it("take a file and let go of it", async () => {
    const onFile = vi.fn();
    function Picker() {
      const [file, setFile] = useState<File | null>(null);
      return (
        <FileDrop
          label="Document"
          accept=".png"
          file={file}
          onFile={(next) => {
            onFile(next?.name ?? null);
            setFile(next);
          }}
        />
      );
    }
    render(<Picker />);
    await userEvent.upload(screen.getByLabelText("Document"), new File(["x"], "pass.png"));
    expect(screen.getByText("pass.png")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Remove pass.png" }));
    expect(onFile.mock.calls).toEqual([["pass.png"], [null]]);
  });
});

describe("buttons", () => {
  it("do not submit by accident and rest while loading", async () => {
    const onClick = vi.fn();
    render(
      <Button loading onClick={onClick}>
        Save
      </Button>,
    );
    const button = screen.getByRole("button", { name: "Save" });
    expect(button).toHaveAttribute("type", "button");
    expect(button).toBeDisabled();
    expect(button).toHaveAttribute("aria-busy", "true");
    await userEvent.click(button);
    expect(onClick).not.toHaveBeenCalled();
  });

  it("lend their looks to a link", () => {
    render(
      <Button asChild>
        <a href="/there">Go</a>
      </Button>,
    );
    expect(screen.getByRole("link", { name: "Go" })).toHaveClass("bg-ink");
  });
});

describe("messages", () => {
  it.each([
    ["danger", "alert"],
    ["warn", "alert"],
    ["good", "status"],
    ["info", "status"],
  ] as const)("%s is announced as %s", (tone, role) => {
    render(<Alert tone={tone}>Text</Alert>);
    expect(screen.getByRole(role)).toHaveTextContent("Text");
  });

  it("ask before an action and wait for the answer", async () => {
    const onConfirm = vi.fn();
    render(
      <ConfirmDialog
        open
        onOpenChange={() => {}}
        title="Delete?"
        description="It is gone then."
        confirmLabel="Delete"
        onConfirm={onConfirm}
      />,
    );
    expect(screen.getByRole("alertdialog", { name: "Delete?" })).toHaveAccessibleDescription(
      "It is gone then.",
    );
    await userEvent.click(screen.getByRole("button", { name: "Delete" }));
    expect(onConfirm).toHaveBeenCalledOnce();
  });
});

describe("facts", () => {
  it("mark the present level", () => {
    const steps = [
      { number: 1, name: "One", accent: "community" },
      { number: 2, name: "Two", accent: "knowledge" },
      { number: 3, name: "Three", accent: "business" },
    ] as const;
    render(<LevelStrip title="Level Advancements" steps={steps} current={2} />);
    const items = screen.getAllByRole("listitem");
    expect(items.map((item) => item.dataset["state"])).toEqual(["done", "now", "ahead"]);
    expect(items[1]).toHaveAttribute("aria-current", "step");
    expect(items[2]).toHaveTextContent("locked");
  });

  it.each([
    [42.4, "42"],
    [140, "100"],
    [-3, "0"],
    [Number.NaN, "0"],
  ])("keep progress of %d within bounds", (value, shown) => {
    render(<ProgressRing label="Overall" value={value} />);
    expect(screen.getByRole("progressbar", { name: "Overall" })).toHaveAttribute(
      "aria-valuenow",
      shown,
    );
  });

  it.each([
    ["Ada Lovelace", "AL"],
    ["Ada King Lovelace", "AL"],
    ["ada@example.com", "A"],
    ["", "?"],
    ["zoë ångström", "ZÅ"],
  ])("shorten %j to %s", (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  it.each([
    [512, "512 B"],
    [1536, "1.5 KB"],
    [204_800, "200 KB"],
    [11_534_336, "11.0 MB"],
  ])("write %i bytes as %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
