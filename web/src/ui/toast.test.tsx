import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { toast, Toaster } from "./toast.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets time pass, and what it changes be drawn. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it("a confirmation goes once it can have been read", async () => {
  render(<Toaster />);
  const long = "£12.50 was refunded to Amara Whitfield. The bank may take a few days to show it.";
  toast.good("Successfully signed in!");
  toast.good(long);
  toast.danger("That did not work. Please try again.");
  await pass(1500);
  expect(screen.getByText("Successfully signed in!")).toBeInTheDocument();
  await pass(1000);
  expect(screen.queryByText("Successfully signed in!")).not.toBeInTheDocument();
  expect(screen.getByText("That did not work. Please try again.")).toBeInTheDocument();
  await pass(2000);
  expect(screen.getByText(long)).toBeInTheDocument();
  await pass(2500);
  expect(screen.queryByText(long)).not.toBeInTheDocument();
});
