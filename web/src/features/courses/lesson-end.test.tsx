import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { LessonEnd, type LessonEndProps } from "./components/lesson-end.tsx";

const open = { title: "Five Lines", to: "?module=five-lines" };

const lesson = {
  id: "m3",
  slug: "three",
  title: "Lesson three",
  content: "The text.",
  videoUrl: null,
  minutes: 5,
  isComplete: true,
  isGone: false,
};

function show(differs: Partial<LessonEndProps>) {
  return render(
    <MemoryRouter>
      <LessonEnd
        lesson={lesson}
        courseComplete={false}
        list="/wealth/courses/spending"
        completing={false}
        next={null}
        open={open}
        onComplete={() => {}}
        {...differs}
      />
    </MemoryRouter>,
  );
}

describe("the end of a completed lesson", () => {
  const toOpen = { name: "Still to do: Five Lines" };

  it.each([
    ["that was passed over", null],
    ["that follows", open],
  ])("leads to one %s", (_which, next) => {
    show({ next });
    expect(screen.getByRole("link", toOpen)).toHaveAttribute("href", "/?module=five-lines");
  });

  it.each<[string, Partial<LessonEndProps>]>([
    ["of a finished course", { courseComplete: true, open: null }],
    ["before it is completed", { lesson: { ...lesson, isComplete: false } }],
    ["where nothing is left", { open: null }],
  ])("does not, %s", (_when, differs) => {
    show(differs);
    expect(screen.queryByRole("link", toOpen)).not.toBeInTheDocument();
  });
});
