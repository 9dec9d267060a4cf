import { beforeAll, describe, expect, it } from "vitest";
import { headlineCharacters, textCharacters } from "./fonts/characters.ts";
import { firstSentences } from "./model/landing-data.ts";
import { renderLanding } from "./render-landing.tsx";
import { tiers } from "./strings.ts";
import { planLines } from "@/domain/plan-lines.ts";

const found = {
  headline: null,
  lead: null,
  host: null,
  outcomes: [],
  is_trial: false,
  rooms: 19,
  articles: 1204,
  courses: 1,
  mentors: 0,
  portraits: [],
  free_lesson: null,
  claims: null,
  plans: [
    {
      role: "student",
      name: "Student Access",
      currency: "GBP",
      monthly_pence: 5000,
      yearly_pence: null,
    },
    {
      role: "mentor",
      name: "Mentor Access",
      currency: "GBP",
      monthly_pence: 10_000,
      yearly_pence: null,
    },
  ],
  seller: { legal_name: null, address: null, company_number: null, vat_number: null },
};
const faceId = "0f0e0d0c-0b0a-4908-8706-050403020100";
const picture = `https://elsewhere.example/storage/v1/object/public/profile-pictures/${faceId}-17.jpg`;
const outcome = {
  name: "Priya",
  occupation: "Physiotherapist",
  picture,
  title: "Four places sold",
  text: `${"A sentence of the member. ".repeat(20)}The end.`,
  type: "success",
};

let page: Document;

const render = async (data: unknown) =>
  new DOMParser().parseFromString(await renderLanding(data), "text/html");
const headings = (shown: Document) =>
  [...shown.querySelectorAll("h2")].map((heading) => heading.textContent);

beforeAll(async () => {
  page = await render(null);
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
    expect(hrefs(/Claim|Start with|Take us/).length).toBeGreaterThanOrEqual(6);
    expect(new Set(hrefs(/Claim|Take us/))).toEqual(new Set(["/auth"]));
  });

  it("leads from a plan straight to the sign-up, and takes the plan along", () => {
    expect(hrefs(/Start with Student Access/)).toEqual(["/signup?plan=student"]);
    expect(hrefs(/Start with Mentor Access/)).toEqual(["/signup?plan=mentor"]);
  });

  it("says plainly what is charged beside each figure", () => {
    const text = page.body.textContent;
    for (const amount of ["£50", "£100"]) {
      expect(text).toContain(
        `Join now and you pay ${amount} a month, the same for as long as your membership runs.`,
      );
    }
  });

  it("lists every line of each plan once, under what it is good for", () => {
    const listed = tiers.map(({ groups }) => groups.flatMap(({ lines }) => lines).toSorted());
    expect(listed).toEqual([planLines.student.toSorted(), planLines.mentor.toSorted()]);
  });

  it("has its parts in the order in which one decides", () => {
    expect(headings(page).slice(0, 6)).toEqual([
      "Four levels, one line, and it only goes up",
      "A week inside",
      "Two ways in",
      "10x your income within 6 months, or your money back and you continue for free.",
      "Questions people ask first",
      "In six months you will have spent the time anyway.",
    ]);
    const menu = [...page.querySelectorAll("header nav a")];
    expect(menu.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Inside", "#inside"],
      ["Plans", "#plans"],
      ["Guarantee", "#guarantee"],
      ["Sign in", "/auth"],
    ]);
    for (const id of ["inside", "plans", "guarantee"]) {
      expect(page.getElementById(id)?.querySelector("h2")).not.toBeNull();
    }
  });

  it("shows a room, marked as an example", () => {
    const room = page.querySelector(
      '[aria-label="A conversation in the General room, as an example"]',
    );
    expect(room?.textContent).toContain("Honestly? I've never priced it. That's why I joined.");
    expect(page.body.textContent).toContain("An example from the demo's General room");
  });

  it("works the guarantee out in pounds, by its own terms", () => {
    const text = page.body.textContent;
    expect(text).toContain(
      "£6,000 is less than £18,000: you get £300 back, and your membership carries on without charge.",
    );
  });

  it("claims nothing that nobody can keep", () => {
    expect(page.body.textContent).not.toMatch(
      /price holds for|within the hour|in their own words|one working day|Members tell us/,
    );
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
    for (const line of [
      "6 monthly check-ins",
      "12 submissions",
      "150 messages in chat rooms",
      "12 articles read",
      "And you stay a member for the 6 months.",
    ]) {
      expect(text).toContain(line);
    }
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

describe("what the landing page says of the database", () => {
  it("is left out where there is nothing", async () => {
    const shown = await render(found);
    expect(shown.body.textContent).not.toMatch(
      /What members did|Your host|Read one lesson|Claims so far|Who sells here|mentors? whose/i,
    );
    expect(headings(shown)).not.toContain("What members did with it");
  });

  it("counts what is inside, and nothing of which there is none", async () => {
    const inside = (await render(found)).querySelectorAll("#main dl div");
    const counted = [...inside].map((row) => [
      row.querySelector("dt")?.textContent,
      row.querySelector("dd")?.textContent,
    ]);
    expect(counted).toEqual(
      expect.arrayContaining([
        ["chat rooms", "19"],
        ["articles", "1,204"],
        ["course", "1"],
      ]),
    );
    expect(counted.map(([name]) => name)).not.toContain("mentors");
  });

  it("shows what members agreed to, cut between sentences, with pictures of this site only", async () => {
    const shown = await render({
      ...found,
      outcomes: [outcome, { ...outcome, title: "Second", picture: "https://evil.example/a.jpg" }],
    });
    const [first, second] = shown.querySelectorAll("#main div > section:first-child li");
    expect(first?.textContent).toMatch(
      /^Four places sold(A sentence of the member\. ?)+PriyaPhysiotherapist$/,
    );
    expect(first?.querySelector("img")?.getAttribute("src")).toBe(
      `/storage/v1/render/image/public/profile-pictures/${faceId}-17.jpg?width=144&height=144`,
    );
    expect(second?.querySelector("img")).toBeNull();
    expect(shown.body.textContent).not.toContain("Example");
  });

  it("marks the members of the demo as examples", async () => {
    const shown = await render({ ...found, is_trial: true, outcomes: [outcome] });
    expect(shown.body.textContent).toContain("These members are examples that come with the demo.");
    expect(shown.body.textContent).toContain("PhysiotherapistExample");
  });

  it("has an owner's words, the host, a lesson, the claims and the seller", async () => {
    const shown = await render({
      ...found,
      headline: "<b>Ours</b>",
      lead: "Another lead",
      host: { name: "Marcus Bell", occupation: "Manager", picture, about: "One.\n\nTwo." },
      portraits: [{ name: "Helen Okafor", occupation: "Accountant", picture: null }],
      free_lesson: {
        slug: "price-it-properly",
        course: "Price It Properly",
        lesson: "What Each Sale Leaves",
        mentor: "Helen Okafor",
      },
      claims: { decided: 7, granted: 3 },
      seller: {
        legal_name: "Fourfold Ltd",
        address: "1 Road\nLondon",
        company_number: "1",
        vat_number: null,
      },
    });
    expect(shown.querySelector("h1")?.textContent).toBe("<b>Ours</b>");
    const text = shown.body.textContent;
    for (const words of ["Another lead", "Marcus Bell", "Helen Okafor", "7 decided, 3 granted"]) {
      expect(text).toContain(words);
    }
    expect(shown.querySelector('a[href="/c/price-it-properly"]')?.textContent).toBe(
      "Read the lesson",
    );
    const seller = shown.querySelector("footer address");
    expect([...(seller?.children ?? [])].map((line) => line.textContent)).toEqual([
      "Fourfold Ltd",
      "1 Road",
      "London",
      "Company number 1",
    ]);
  });

  it("is not shown at all in another shape", async () => {
    await expect(renderLanding({ ...found, rooms: "many" })).rejects.toThrow(/"rooms"/);
  });
});

describe("an outcome that is too long", () => {
  it.each([
    ["Short.", "Short."],
    ["One. Two is longer", "One."],
    ["No sentence fits in here", "No sentence…"],
    ["Word".repeat(9), `${"Word".repeat(4)}…`],
    [`a${"😀".repeat(9)}`, `a${"😀".repeat(7)}…`],
  ])("%j is cut to %j", (text, cut) => {
    expect(firstSentences(text, 16)).toBe(cut);
  });
});

describe("the prices on the page", () => {
  const [student, mentor] = found.plans;
  const textOf = async (...plans: object[]) => (await render({ ...found, plans })).body.textContent;

  it("are the specification's while the catalogue is the one it begins with", async () => {
    const [built, read] = [page.body.textContent, await textOf(student!, mentor!)];
    for (const text of [built, read]) {
      expect(text).toContain("From £50 a month");
      expect(text).toContain("Both are monthly, and both can be cancelled in two clicks.");
      expect(text).toContain(
        "You are charged £50 a month for Student Access or £100 a month for Mentor Access, in pounds sterling, from the day you join. That is less than the £55 and £111 shown with the plans. You see",
      );
      expect(text).toContain("until the end of the month you paid for");
    }
  });

  it("are the owner's once changed, and nothing is crossed out that was never asked", async () => {
    const text = await textOf({ ...student!, monthly_pence: 4250 }, mentor!);
    expect(text).toContain("From £42.50 a month");
    expect(text).toContain("Join now and you pay £42.50 a month");
    expect(text).toContain("You are charged £42.50 a month for Student Access or £100 a month");
    expect(text).toContain("£255, six months at £42.50");
    expect(text).toContain("you get £255 back");
    for (const gone of ["£50", "£55", "£117", "That is less than"])
      expect(text).not.toContain(gone);
    for (const kept of ["£111", "£227"]) expect(text).toContain(kept);
  });

  it("name the year where it is sold", async () => {
    const text = await textOf({ ...student!, yearly_pence: 50_000 }, mentor!);
    expect(text).toContain("Or £500 a year.");
    expect(text).toContain("Pay by the month or by the year, and cancel in two clicks.");
    expect(text).toContain("If you pay by the year, it is £500 a year for Student Access.");
    expect(text).toContain("until the end of the month or year you paid for");
    expect(text).toContain("Month to month or year to year, until you cancel.");
    expect(text).not.toContain("Both are monthly");
  });

  it("leave out a plan that is not sold, and survive an install that sells nothing yet", async () => {
    const text = await textOf(student!);
    expect(text).not.toContain("Start with Mentor Access");
    expect(text).toContain("Pay by the month, and cancel in two clicks.");
    expect(await textOf()).toContain("From £50 a month");
    // A plan of a later release is left out, and the page stands.
    expect(await textOf(student!, { ...mentor!, role: "guest" })).not.toContain("Mentor Access");
  });
});
