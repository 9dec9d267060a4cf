import { act, render } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { footBar } from "./foot-bar.ts";

it("has the height of the tallest bar at the foot, and of none when it is gone or in the flow of the page", () => {
  const measures: (() => void)[] = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(measure: () => void) {
        measures.push(measure);
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  const heights = new Map([
    ["tabs", 56],
    ["field", 120],
    ["pay", 300],
  ]);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(function (
    this: HTMLElement,
  ) {
    return heights.get(this.id) ?? 0;
  });
  const foot = () => document.documentElement.style.getPropertyValue("--foot");
  const { rerender, unmount } = render(
    <>
      <div id="tabs" ref={footBar} style={{ position: "fixed" }} />
      <div key="field" id="field" ref={footBar} style={{ position: "relative" }} />
      <div id="pay" ref={footBar} />
    </>,
  );
  act(() => measures.at(-1)?.());
  expect(foot()).toBe("120px");
  heights.set("field", 200);
  act(() => measures.at(-1)?.());
  expect(foot()).toBe("200px");
  rerender(<div id="tabs" ref={footBar} style={{ position: "fixed" }} />);
  expect(foot()).toBe("56px");
  unmount();
  expect(foot()).toBe("0px");
});
