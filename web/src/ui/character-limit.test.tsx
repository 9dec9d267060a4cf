import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useForm } from "react-hook-form";
import { describe, expect, it, vi } from "vitest";
import { TextArea, TextField } from "./text-field.tsx";

const family = "👨‍👩‍👧‍👦";

function Form({ onSave }: { readonly onSave: (text: string) => void }) {
  const { register, handleSubmit, reset } = useForm({ defaultValues: { text: "" } });
  return (
    <form
      onSubmit={(event) =>
        void handleSubmit(({ text }) => {
          onSave(text);
          reset();
        })(event)
      }
    >
      <TextArea label="Text" maxLength={20} {...register("text")} />
      <button type="submit">Save</button>
    </form>
  );
}

describe("a field with a limit", () => {
  it("takes as many characters as the database counts, not half as many emoji", async () => {
    const save = vi.fn();
    render(<Form onSave={save} />);
    const field = screen.getByLabelText("Text");
    await userEvent.click(field);
    await userEvent.paste("😀".repeat(17));
    expect(screen.queryByText(/of 20 characters/)).toBeNull();
    await userEvent.paste("😀");
    expect(screen.getByText("18 of 20 characters.")).toBeVisible();
    await userEvent.paste("😀".repeat(9));
    await userEvent.type(field, "ab");
    expect(field).toHaveAccessibleDescription("20 of 20 characters.");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(save).toHaveBeenCalledWith("😀".repeat(20));
    expect(screen.queryByText(/of 20 characters/)).toBeNull();
  });

  it("cuts nothing in two that people see as one, and says how it counts", async () => {
    render(<Form onSave={vi.fn()} />);
    const field = screen.getByLabelText("Text");
    await userEvent.click(field);
    await userEvent.paste(`${family}🇬🇧👍🏽é${family}${family}`);
    expect(field).toHaveValue(`${family}🇬🇧👍🏽é${family}`);
    expect(
      screen.getByText(
        "19 of 20 characters. Some emoji and accented letters count as several characters.",
      ),
    ).toBeVisible();
  });

  it("stops at the caret and leaves what follows it", async () => {
    render(<TextField label="Name" maxLength={5} defaultValue="abde" />);
    const field = screen.getByLabelText<HTMLInputElement>("Name");
    await userEvent.click(field);
    field.setSelectionRange(2, 2);
    await userEvent.paste("cccc");
    expect(field).toHaveValue("abcde");
    expect(field.selectionStart).toBe(3);
    await userEvent.keyboard("x");
    expect(field).toHaveValue("abcde");
    await userEvent.keyboard("{Backspace}");
    expect(field).toHaveValue("abde");
  });
});
