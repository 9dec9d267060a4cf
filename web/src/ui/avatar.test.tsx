import { fireEvent, render } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Avatar, avatarColor } from "./avatar.tsx";

const ids = Array.from({ length: 200 }, (_, index) => `00000000-0000-4000-8000-${index * 7919}`);

/** Relative luminance (WCAG) of an `oklch(lightness chroma hue)`. */
function luminance(color: string): number {
  const [lightness = 0, chroma = 0, hue = 0] = (color.match(/[\d.]+/gu) ?? []).map(Number);
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => Math.min(1, Math.max(0, part)));
  return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
}

describe("initials", () => {
  it.each([
    ["Tom Ashworth (he/him)", "TA"],
    ["Maria “Mia” Vogel", "MV"],
    ["محمد (42)", "م"],
    ["3rd Person", "3P"],
    ["—", "?"],
  ])("of %s are %s: signs are none", (name, letters) => {
    const { container } = render(<Avatar id="a" name={name} />);
    expect(container.textContent).toBe(letters);
  });

  it("have the colour of the account, whatever its name and size", () => {
    const { container } = render(
      <>
        <Avatar id="a" name="Ada Byron" size="sm" />
        <Avatar id="a" name="Ada Lovelace" size="lg" />
      </>,
    );
    const [small, large] = Array.from(container.querySelectorAll("span"));
    expect(small?.style.backgroundColor).not.toBe("");
    expect(large?.style.backgroundColor).toBe(small?.style.backgroundColor);
    expect(new Set(ids.map(avatarColor)).size).toBeGreaterThan(6);
  });

  it("stand behind the picture, and are all that is left when it does not load", () => {
    const at = (picture: string | null) => <Avatar id="a" name="Ada Lovelace" picture={picture} />;
    const { container, rerender } = render(at("/broken.jpg"));
    const image = container.querySelector("img");
    expect(image).toHaveAttribute("src", "/broken.jpg");
    expect(image).toHaveAttribute("alt", "");
    expect(container).toHaveTextContent("AL");
    if (image) fireEvent.error(image);
    expect(container.querySelector("img")).toBeNull();
    rerender(at("/other.jpg"));
    expect(container.querySelector("img")).toHaveAttribute("src", "/other.jpg");
    rerender(at(null));
    expect(container.querySelector("img")).toBeNull();
    expect(container).toHaveTextContent("AL");
  });

  it("are readable on every colour", () => {
    for (const color of new Set(ids.map(avatarColor))) {
      expect(1.05 / (luminance(color) + 0.05), color).toBeGreaterThan(4.5);
    }
  });
});
