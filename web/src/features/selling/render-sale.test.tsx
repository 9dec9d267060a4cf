import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderApp } from "@/app/testing/test-app.tsx";
import { contentPictureAddress } from "@/domain/content-pictures.ts";
import { renderSale } from "./render-sale.tsx";

const site = { origin: "https://members.example", stylesheets: ["/assets/app-1.css"] };

const offer = {
  slug: "letters",
  title: "Letters That Get Answers",
  description: "How to write so that people write back.",
  outcomes: ["Write letters that are answered", "Ask one thing at a time"],
  price_pence: 4950,
  minutes: 40,
  difficulty: "beginner",
  thumbnail_url: null,
  category: "business",
  topic: "sales",
  course_slug: "letters",
  mentor: "Ruth Okafor",
  refund_days: 14,
  lessons: [
    { title: "Begin With the Reader", minutes: 20, is_free: true },
    { title: "Send It", minutes: 20, is_free: false },
  ],
  free_lesson: {
    title: "Begin With the Reader",
    content: `A first paragraph.\n\n## A heading\n\n${"Words of the lesson. ".repeat(4000)}\n\nThe end.`,
  },
};

async function documentOf(value: unknown): Promise<Document> {
  return new DOMParser().parseFromString(await renderSale(value, site), "text/html");
}

const metaOf = (page: Document, name: string) =>
  page.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute("content");

/** What could run, load or wait for a script. */
function activeParts(page: Document): string[] {
  return [...page.querySelectorAll("*")].flatMap((element) => [
    ...(/^(?:script|template|iframe|object|embed|form|base|style)$/i.test(element.localName)
      ? [element.localName]
      : []),
    ...[...element.attributes]
      .filter(
        ({ name, value }) => /^on|^style$|^srcdoc$/i.test(name) || /^\s*javascript:/i.test(value),
      )
      .map(({ name, value }) => `${name}=${value}`),
  ]);
}

describe("the document of a course on sale", () => {
  it("says that the free lesson has a film, where it has one", async () => {
    const said = "This lesson also has a film, which comes with the course.";
    expect((await documentOf(offer)).body.textContent).not.toContain(said);
    const free_lesson = { ...offer.free_lesson, has_film: true };
    expect((await documentOf({ ...offer, free_lesson })).body.textContent).toContain(said);
  });

  it("shows the mentor's face from the product's own bucket, for whom it is, and a fair rating", async () => {
    const face = {
      mentor_picture: "https://elsewhere.test/ruth-1.jpg?track=me",
      mentor_occupation: "Editor",
      subject: "Writing",
    };
    const page = await documentOf({ ...offer, ...face, rating_count: 4, rating_sum: 18 });
    const portrait = page.querySelector("header img");
    expect(portrait?.getAttribute("src")).toBe(
      "https://members.example/storage/v1/object/public/profile-pictures/ruth-1.jpg",
    );
    const text = page.querySelector("main")?.textContent ?? "";
    expect(text).toContain("A course by Ruth OkaforEditor");
    expect(text).toContain("People who are new to “Writing”.");
    expect(text).toContain("Members rate it 4.5 out of 5 (4 ratings)");
    const few = await documentOf({ ...offer, ...face, rating_count: 2, rating_sum: 10 });
    expect(few.body.textContent).not.toContain("Members rate it");
    const buys = [...page.querySelectorAll('a[href="/c/letters/buy"]')];
    expect(buys.map(({ textContent }) => textContent)).toEqual([
      "Buy this course",
      "Buy this course · £49.50",
      "Buy this course · £49.50",
    ]);
    expect(page.querySelector("#free-lesson details summary")?.textContent).toContain(
      "Show the whole lesson",
    );
  });

  it("quotes the members that the server names, with their stars, and leaves the section out without", async () => {
    const reviews = [
      { stars: 5, sentence: "<b>Three answers</b> in a week.", name: "Tom" },
      { stars: 2, sentence: "Too short for me.", name: "Mei" },
    ];
    const page = await documentOf({ ...offer, reviews });
    const quoted = [...page.querySelectorAll("#reviews figure")].map((each) => each.textContent);
    expect(quoted).toEqual([
      "5 out of 5 stars“<b>Three answers</b> in a week.”Tom",
      "2 out of 5 stars“Too short for me.”Mei",
    ]);
    expect(page.querySelector("#reviews b")).toBeNull();
    for (const none of [{ reviews: [] }, {}]) {
      expect((await documentOf({ ...offer, ...none })).querySelector("#reviews")).toBeNull();
    }
  });

  it("says everything without a script", async () => {
    const page = await documentOf(offer);
    expect(activeParts(page)).toEqual([]);
    expect(page.documentElement.lang).toBe("en-GB");
    expect(page.querySelectorAll("h1")).toHaveLength(1);
    expect(page.querySelector("h1")?.textContent).toBe(offer.title);
    const text = page.body.textContent;
    for (const words of [
      "Ruth Okafor",
      "£49.50",
      "Ask one thing at a time",
      "Send It",
      "14 days",
    ]) {
      expect(text).toContain(words);
    }
    expect(page.querySelector("#free-lesson .reading h2")?.textContent).toContain("A heading");
    expect(page.querySelector("#free-lesson .reading")?.textContent).toMatch(/The end\.$/);
    const links = [...page.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(
      expect.arrayContaining(["/", "/your-courses", "/c/letters/buy", "#free-lesson"]),
    );
    expect(page.querySelector('link[rel="stylesheet"]')?.getAttribute("href")).toBe(
      "/assets/app-1.css",
    );
  });

  it("shows the pictures of its free lesson from this site, and none of elsewhere", async () => {
    const address = contentPictureAddress("11111111-1111-4111-8111-111111111111-1.jpg");
    const content = `![Two boats](${address}#1600x900)\n\n![Evil](https://evil.example/x.png)`;
    const page = await documentOf({ ...offer, free_lesson: { title: "Begin", content } });
    const images = [...page.querySelectorAll("#free-lesson img")].map((image) =>
      ["src", "alt", "width", "height", "loading"].map((name) => image.getAttribute(name)),
    );
    expect(images).toEqual([[address, "Two boats", "1600", "900", "lazy"]]);
  });

  it("names itself to search engines and networks", async () => {
    const page = await documentOf(offer);
    expect(page.title).toBe("Letters That Get Answers · Fourfold");
    expect(page.querySelector('link[rel="canonical"]')?.getAttribute("href")).toBe(
      "https://members.example/c/letters",
    );
    expect(metaOf(page, "description")).toBe(offer.description);
    expect(metaOf(page, "robots")).toBeUndefined();
    expect(metaOf(page, "og:title")).toBe(offer.title);
    expect(metaOf(page, "og:url")).toBe("https://members.example/c/letters");
    expect(metaOf(page, "og:image")).toMatch(/^https:\/\/members\.example\//);
    expect(metaOf(page, "product:price:amount")).toBe("49.50");
    expect(metaOf(await documentOf({ ...offer, description: "" }), "description")).toContain(
      "Ruth Okafor",
    );
  });

  it("keeps hostile words words, in every field", async () => {
    const hostile =
      "</title></head><script>alert(1)</script><img src=x onerror=alert(1)>\"' onload=alert(1) {{x}}";
    const lesson = `${hostile}\n\n[a](javascript:alert(1)) [b](//evil.example)\n\n<iframe srcdoc="x"></iframe>\n\n![c](https://evil.example/x.png)`;
    const page = await documentOf({
      ...offer,
      title: hostile,
      description: hostile,
      outcomes: [hostile],
      mentor: hostile,
      thumbnail_url: `https://evil.example/x.png?${hostile}`,
      lessons: [{ title: hostile, minutes: 1, is_free: true }],
      free_lesson: { title: hostile, content: lesson },
    });
    expect(activeParts(page)).toEqual([]);
    expect(page.querySelector("img")).toBeNull();
    expect(page.title).toBe(`${hostile} · Fourfold`);
    expect(page.querySelector("h1")?.textContent).toBe(hostile);
    expect(metaOf(page, "og:title")).toBe(hostile);
    expect(metaOf(page, "description")).toBe(hostile);
    expect([...page.querySelectorAll("a")].map((link) => link.getAttribute("href"))).not.toContain(
      "//evil.example",
    );
  });

  it.each([
    [14, "The course then closes.", "write to"],
    [30, "After that, write to support@fourfold.example within 30 days of buying", "nothing else"],
  ])("names the button that gives the course back, for %s days", async (days, told, untold) => {
    const page = await documentOf({ ...offer, refund_days: days });
    const text = page.querySelector("main")?.textContent;
    expect(text).toContain("Press Return this course under Your courses within 14 days of buying");
    expect(text).toContain(told);
    expect(text).not.toContain(untold);
  });

  it("shows the course's own cover, also in previews of links", async () => {
    const cover = contentPictureAddress("a0000000-0000-4000-8000-000000000001-1.jpg");
    const page = await documentOf({ ...offer, thumbnail_url: cover });
    expect([...page.querySelectorAll("img")].map((each) => each.getAttribute("src"))).toEqual([
      cover,
    ]);
    expect(metaOf(page, "og:image")).toBe(`https://members.example${cover}`);
  });

  it("says that nothing is on sale under an unknown address", async () => {
    const page = await documentOf(null);
    expect(page.querySelector("h1")?.textContent).toBe("This course isn't on sale");
    expect(metaOf(page, "robots")).toBe("noindex");
    expect(page.querySelector('link[rel="canonical"]')).toBeNull();
  });

  it("is not made of what has another shape", async () => {
    await expect(renderSale({ ...offer, price_pence: "much" }, site)).rejects.toThrow();
  });

  it("says the same as the page within the app", async () => {
    renderApp("/c/letters", {
      reply: ({ call }) => (call.endsWith("/course-offer") ? { body: { offer } } : undefined),
    });
    await screen.findByText("The end.");
    const page = await documentOf(offer);
    expect(page.querySelector("main")?.textContent).toBe(screen.getByRole("main").textContent);
    expect(screen.getByRole("link", { name: "Buy this course" })).toHaveAttribute(
      "href",
      "/c/letters/buy",
    );
  });
});
