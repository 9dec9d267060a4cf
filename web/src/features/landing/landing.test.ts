import { beforeAll, describe, expect, it } from "vitest";
import { headlineCharacters, textCharacters } from "./fonts/characters.ts";
import { renderLanding } from "./render-landing.tsx";

let page: Document;

beforeAll(async () => {
  page = new DOMParser().parseFromString(await renderLanding(), "text/html");
});

const hrefs = (name: RegExp) =>
  [...page.querySelectorAll("a")]
    .filter((link) => name.test(link.textContent))
    .map((link) => link.getAttribute("href"));

describe("the landing page", () => {
  it("is plain HTML without a script", () => {
    expect(page.querySelector("script")).toBeNull();
    expect(page.querySelectorAll("h1")).toHaveLength(1);
  });

  it("leads every call to action to /auth", () => {
    expect(hrefs(/Claim|Start with|Take us/).length).toBeGreaterThanOrEqual(5);
    expect(new Set(hrefs(/Claim|Take us/))).toEqual(new Set(["/auth"]));
  });

  it("takes the chosen plan along", () => {
    expect(hrefs(/Start with Student Access/)).toEqual(["/auth?plan=student"]);
    expect(hrefs(/Start with Mentor/)).toEqual(["/auth?plan=mentor"]);
  });

  it("says plainly what is charged beside each figure", () => {
    const text = page.body.textContent;
    for (const amount of ["£50", "£100"]) {
      expect(text).toContain(`You are charged ${amount} a month, from the day you join.`);
    }
  });

  it("ends with the two ways in and the small print", () => {
    expect(hrefs(/^SIGN UP \/ SIGN IN$/)).toEqual(["/auth"]);
    expect(hrefs(/^ADMIN LOGIN$/)).toEqual(["/adminlogin"]);
    for (const [id, title] of [
      ["careers", "Work for the network"],
      ["contact", "Contact Us"],
      ["privacy", "Privacy"],
      ["terms", "Terms"],
      ["security", "Security"],
    ] as const) {
      expect(hrefs(new RegExp(`^${title}$`))).toEqual([`#${id}`]);
      expect(page.getElementById(id)?.querySelector("h2")?.textContent).toBe(title);
      expect(page.getElementById(id)?.textContent.length).toBeGreaterThan(80);
    }
  });

  it("says what the guarantee asks for", () => {
    const text = page.body.textContent;
    expect(text).toContain("In your first 7 days you record what you earn a month.");
    expect(text).toContain(
      "6 monthly check-ins, 12 submissions, 150 messages in chat rooms, 12 articles read and 6 months of membership",
    );
  });

  it("names the figures of the offer", () => {
    const text = page.body.textContent;
    for (const figure of ["£55", "£117", "£111", "£227", "1,247", "10,247+", "10x", "6 months"]) {
      expect(text).toContain(figure);
    }
    expect(text).toMatch(/100 new members a month, 12 spots remaining/);
    expect([...page.querySelectorAll("s")].map((s) => s.textContent)).toEqual([
      "instead of £117",
      "instead of £227",
    ]);
  });

  it("shows a countdown before any script ran", () => {
    expect(page.querySelector("[data-countdown]")?.textContent).toBe("24:00:00");
  });

  it("uses no character its fonts lack", () => {
    const headlines = [...page.querySelectorAll(".display")].map((e) => e.textContent).join("");
    expect(Array.from(headlines).filter((c) => !headlineCharacters.includes(c))).toEqual([]);
    expect(Array.from(page.body.textContent).filter((c) => !textCharacters.includes(c))).toEqual(
      [],
    );
  });
});
