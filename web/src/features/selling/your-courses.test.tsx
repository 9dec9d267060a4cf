import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

function open(level: number) {
  renderApp("/your-courses", {
    session: sessionOf(),
    rows: memberRows({ level }),
    reply: ({ call }) => {
      if (call === "POST /rest/v1/rpc/my_courses") return { body: [] };
      return call === "POST /rest/v1/rpc/effective_level" ? { body: level } : undefined;
    },
  });
}

describe("the page of bought courses while there is none", () => {
  it("leads a member to the library", async () => {
    open(2);
    expect(await screen.findByRole("link", { name: "Go to the library" })).toHaveAttribute(
      "href",
      "/knowledge/courses",
    );
    expect(screen.queryByRole("link", { name: "See the plans" })).not.toBeInTheDocument();
  });

  it("leads a person without a membership to the plans", async () => {
    open(0);
    expect(await screen.findByRole("link", { name: "See the plans" })).toHaveAttribute(
      "href",
      "/paywall",
    );
    expect(screen.queryByRole("link", { name: "Go to the library" })).not.toBeInTheDocument();
  });

  it("leads nobody to a library that their level does not open yet", async () => {
    open(1);
    expect(await screen.findByText("You haven't bought a course yet")).toBeVisible();
    expect(screen.queryByRole("link", { name: "Go to the library" })).not.toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "See the plans" })).not.toBeInTheDocument();
  });
});
