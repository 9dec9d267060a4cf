import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { lessonLeftAfter, type Course } from "./model/course.ts";
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

it("goes on past completed lessons to the first that is left", () => {
  const modules = [true, false, true, false].map((isComplete, index) => ({
    ...lesson,
    id: `m${index}`,
    isComplete,
  }));
  const course = { modules } as unknown as Course;
  const idAfter = (index: number) => lessonLeftAfter(course, modules[index] ?? lesson)?.id;
  expect([0, 1, 2, 3].map(idAfter)).toEqual(["m1", "m3", "m3", undefined]);
});

describe("the end of a completed lesson", () => {
  const toOpen = { name: "Still to do: Five Lines" };

  it("leads to one that was passed over", () => {
    show({});
    expect(screen.getByRole("link", toOpen)).toHaveAttribute("href", "/?module=five-lines");
  });

  it("leads to the first that is left after it, before those that were passed over", () => {
    show({ next: { title: "Six Lines", to: "?module=six-lines" } });
    expect(screen.getByRole("link", { name: "Still to do: Six Lines" })).toBeVisible();
    expect(screen.queryByRole("link", toOpen)).not.toBeInTheDocument();
  });

  it.each<[string, Partial<LessonEndProps>]>([
    ["of a finished course", { courseComplete: true, open: null }],
    ["before it is completed", { lesson: { ...lesson, isComplete: false } }],
  ])("does not, %s", (_when, differs) => {
    show(differs);
    expect(screen.queryByRole("link", toOpen)).not.toBeInTheDocument();
  });
});
