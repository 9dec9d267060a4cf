import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renderPage } from "@/app/testing/test-app.tsx";
import { SignUpForm } from "./components/sign-up-form.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function pass(milliseconds: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it("leads a taken address to sign-in after 2000 ms, not before", async () => {
  renderPage(<SignUpForm onConfirm={() => {}} />, {
    reply: ({ call }) =>
      call === "POST /auth/v1/signup"
        ? {
            status: 422,
            body: { error_code: "user_already_exists", msg: "User already registered" },
          }
        : undefined,
  });
  await pass(0);
  type("Email", "ada@example.com");
  type("Password", "Correct-Horse-9!");
  type("Confirm password", "Correct-Horse-9!");
  fireEvent.click(screen.getByRole("button", { name: "Create account" }));
  const duplicateMessage = () => screen.queryByText(/An account with this email already exists/);
  for (let turn = 0; turn < 100 && duplicateMessage() === null; turn += 1) await pass(0);
  expect(duplicateMessage()).toBeVisible();
  await pass(1999);
  expect(screen.queryByText(/Now at/)).not.toBeInTheDocument();
  await pass(1);
  expect(screen.getByText("Now at /signin")).toBeVisible();
});
