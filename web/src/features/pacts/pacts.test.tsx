import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  adaId,
  memberRows,
  nothingTold,
  renderApp,
  sessionOf,
  type Reply,
} from "@/app/testing/test-app.tsx";
import { daysLeft, dueText } from "./components/due-text.ts";
import { pactDraftSchema } from "./components/pact-draft-schema.ts";
import { dayOf, dueDays } from "./model/pact-draft.ts";
import { openPlaces, type PactWitness } from "./model/pact.ts";

const rpc = (name: string) => `POST /rest/v1/rpc/${name}`;
const tom = { id: "22222222-2222-4222-8222-222222222222", name: "Tom Ashworth", avatar_url: null };

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  sessionStorage.clear();
});

const pact = (differs: object = {}) => ({
  id: "p1",
  title: "Call ten customers",
  due_on: "2099-01-31",
  made_at: "2026-11-20T10:00:00+00:00",
  is_overdue: false,
  outcome: null,
  outcome_id: null,
  closed_at: null,
  ...differs,
});
const own = (differs: object = {}) => ({ ...pact(), witnesses: [], ...differs });
const asked = (differs: object = {}) => ({ ...pact(), author: tom, accepted: false, ...differs });

type Answers = Readonly<Record<string, Reply | ((body: unknown) => Reply)>>;

function open(path: string, answers: Answers, level = 1) {
  return renderApp(path, {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call, body }) => {
      if (call === rpc("effective_level")) return { body: level };
      const answer = answers[call];
      return typeof answer === "function" ? answer(body) : answer;
    },
  });
}
const mine = (pacts: object) => ({
  [rpc("my_pacts")]: { body: { own: [], witnessing: [], ...pacts } },
});

describe("/learning/pacts", () => {
  it("says how to begin when there are none", async () => {
    open("/learning/pacts", mine({}));
    expect(await screen.findByText("You haven't made a pact yet")).toBeVisible();
    expect(screen.getAllByRole("link", { name: "Make a pact" })[0]).toHaveAttribute(
      "href",
      "/learning/pacts/new",
    );
  });

  it("lists witnesses by what they answered, and offers what can be done", async () => {
    const witnesses = [
      { ...tom, state: "accepted" },
      { ...tom, id: "b", name: "Eve", state: "declined" },
    ];
    open(
      "/learning/pacts",
      mine({
        own: [
          own({ witnesses }),
          own({ id: "p2", title: "Late", is_overdue: true, due_on: "2026-01-02" }),
          own({
            id: "p3",
            title: "Done",
            outcome: "success",
            outcome_id: "s3",
            closed_at: "2026-11-20T10:00:00+00:00",
          }),
        ],
      }),
    );
    const openPacts = within(await screen.findByRole("region", { name: "Your open pacts" }));
    const [first, late] = openPacts
      .getAllByRole("listitem")
      .filter((item) => within(item).queryByRole("heading"));
    expect(within(first!).getByText("Witness")).toBeVisible();
    expect(within(first!).getByText("Declined")).toBeVisible();
    expect(within(first!).getByRole("button", { name: "Ask another witness" })).toBeVisible();
    expect(within(first!).getByRole("link", { name: "Record how it went" })).toHaveAttribute(
      "href",
      "/learning/create?pact=p1",
    );
    expect(within(late!).getByText("Overdue, was due on 2 January 2026")).toBeVisible();
    expect(within(late!).queryByRole("button", { name: /witness/ })).toBeNull();
    const over = within(screen.getByRole("region", { name: "Closed" }));
    expect(over.getByText("Kept")).toBeVisible();
    expect(over.queryByRole("link", { name: "Record how it went" })).toBeNull();
  });

  it("answers for the member who is asked, and says when it could not be saved", async () => {
    let accepted = false;
    const { seen } = open("/learning/pacts", {
      [rpc("my_pacts")]: () => ({ body: { own: [], witnessing: [asked({ accepted })] } }),
      [rpc("answer_witness")]: () => {
        if (accepted) return { status: 400, body: { code: "FF775", message: "over" } };
        accepted = true;
        return { body: null };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Accept" }));
    expect(await screen.findByRole("region", { name: "You're a witness" })).toBeVisible();
    await waitFor(() =>
      expect(screen.getByRole("heading", { name: "You're a witness" })).toHaveFocus(),
    );
    expect(seen.find(({ call }) => call === rpc("answer_witness"))?.body).toEqual({
      pact_id: "p1",
      accepts: true,
    });
    await userEvent.click(screen.getByRole("button", { name: "Step back" }));
    await userEvent.click(
      within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Step back" }),
    );
    expect(
      await screen.findByText(/We couldn't save your answer. This pact is over./),
    ).toBeVisible();
  });

  it("takes what was answered off the bell", async () => {
    let waiting = 1;
    open("/learning/pacts", {
      [rpc("my_pacts")]: () => ({ body: { own: [], witnessing: waiting > 0 ? [asked()] : [] } }),
      [rpc("my_notifications")]: () => ({ body: { ...nothingTold, unread: waiting } }),
      [rpc("answer_witness")]: () => {
        waiting = 0;
        return { body: null };
      },
    });
    await screen.findByRole("button", { name: "Notifications, 1 unread" });
    await userEvent.click(await screen.findByRole("button", { name: "Decline" }));
    expect(await screen.findByRole("button", { name: "Notifications" })).toBeVisible();
    await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
  });

  it("shows on the open page that a witness declined", async () => {
    let state = "asked";
    const { live } = open("/learning/pacts", {
      [rpc("my_pacts")]: () => ({
        body: { own: [own({ witnesses: [{ ...tom, state }] })], witnessing: [] },
      }),
    });
    expect(await screen.findByText("Asked")).toBeVisible();
    await waitFor(() => expect(live.watchers("notifications")).toBe(1));
    state = "declined";
    live.change("INSERT", "notifications", { id: 1, user_id: adaId });
    expect(await screen.findByText("Declined")).toBeVisible();
  });

  it("keeps the pacts one witnessed, and says of one that is overdue what its author reads", async () => {
    open(
      "/learning/pacts",
      mine({
        witnessing: [
          asked({ accepted: true, is_overdue: true, due_on: "2026-01-02" }),
          asked({
            id: "p2",
            title: "Done",
            accepted: true,
            outcome: "success",
            outcome_id: "s2",
            closed_at: "2026-10-01T10:00:00+00:00",
          }),
        ],
      }),
    );
    const now = within(await screen.findByRole("region", { name: "You're a witness" }));
    expect(now.getByText("Overdue, was due on 2 January 2026")).toBeVisible();
    expect(now.queryByText("Done")).toBeNull();
    const before = within(screen.getByRole("region", { name: "You were a witness" }));
    expect(before.getByText("Kept")).toBeVisible();
    expect(before.getByRole("link", { name: "Done" })).toHaveAttribute(
      "href",
      "/learning/submissions?submission=s2",
    );
    expect(before.queryByRole("button")).toBeNull();
  });

  it("asks nobody without a membership, and can be loaded again after a failure", async () => {
    const lapsed = open(
      "/learning/pacts",
      { [rpc("my_pacts")]: { status: 400, body: { code: "FF700", message: "no" } } },
      0,
    );
    expect(await screen.findByText(/Pacts are for active members/)).toBeVisible();
    lapsed.unmount();
    open("/learning/pacts", { [rpc("my_pacts")]: { status: 400, body: { message: "no" } } });
    expect(await screen.findByText("We couldn't load your pacts")).toBeVisible();
  });
});

describe("/learning/pacts/new", () => {
  it("keeps what was written after a failure, and sends the same again under the same id", async () => {
    let answer: Reply = { status: 400, body: { code: "FF773", message: "no" } };
    const { seen } = open("/learning/pacts/new", {
      ...mine({}),
      [rpc("people_page")]: {
        body: [
          {
            user_id: tom.id,
            name: tom.name,
            role_name: "student",
            occupation_name: "Baker",
            avatar_url: null,
            member_level: 1,
            topics: [],
          },
        ],
      },
      [rpc("make_pact")]: () => answer,
    });
    await userEvent.type(await screen.findByLabelText("What will you do?"), " Call ten ");
    await userEvent.type(screen.getByLabelText("How will you know it's done?"), "A list.");
    const search = screen.getByRole("searchbox", { name: "Find a member by name" });
    expect(fireEvent.keyDown(search, { key: "Enter" })).toBe(false);
    expect(fireEvent.keyDown(search, { key: "Enter", isComposing: true })).toBe(true);
    expect(fireEvent.keyDown(search, { key: "Enter", keyCode: 229 })).toBe(true);
    await userEvent.type(search, "Tom");
    await userEvent.click(await screen.findByRole("button", { name: "Choose Tom Ashworth" }));
    await userEvent.click(screen.getByRole("button", { name: "Make this pact" }));
    expect(
      await screen.findByText(/We couldn't make your pact. One of these members can't be asked./),
    ).toBeVisible();
    expect(screen.getByLabelText("What will you do?")).toHaveValue(" Call ten ");
    expect(sessionStorage).toHaveLength(1);
    answer = { body: null };
    await userEvent.click(screen.getByRole("button", { name: "Make this pact" }));
    await waitFor(() => expect(window.location.pathname).toBe("/learning/pacts"));
    expect(sessionStorage).toHaveLength(0);
    const [first, second] = seen
      .filter(({ call }) => call === rpc("make_pact"))
      .map(({ body }) => body);
    expect(first).toMatchObject({ title: "Call ten", content: "A list.", witnesses: [tom.id] });
    expect(second).toEqual(first);
  });
});

describe("the outcome of a pact", () => {
  it("is one of three types, closes the pact in the same step, and is retried whole", async () => {
    let answer: Reply = { status: 400, body: { code: "FF300", message: "no" } };
    const { seen, calls } = open("/learning/create?pact=p1", {
      ...mine({ own: [own()] }),
      [rpc("close_pact")]: () => answer,
    });
    expect(await screen.findByText("Call ten customers")).toBeVisible();
    expect(screen.getAllByRole<HTMLInputElement>("radio").map(({ value }) => value)).toEqual([
      "success",
      "failure",
      "progress_report",
    ]);
    await userEvent.click(screen.getByRole("radio", { name: /Success/ }));
    await userEvent.type(screen.getByLabelText("Title"), "Ten calls ");
    await userEvent.type(screen.getByLabelText("Content"), "Two orders.");
    await userEvent.click(screen.getByRole("button", { name: "Submit" }));
    expect(await screen.findByText("We couldn't record how it went.")).toBeVisible();
    expect(screen.getByText(/going too fast/)).toBeVisible();
    answer = { body: null };
    await userEvent.click(screen.getByRole("button", { name: "Submit" }));
    expect(await screen.findByText("Submission created successfully!")).toBeVisible();
    expect(calls()).not.toContain("POST /rest/v1/learning_submissions");
    const [first, second] = seen
      .filter(({ call }) => call === rpc("close_pact"))
      .map(({ body }) => body as Record<string, unknown>);
    expect(first).toMatchObject({ pact_id: "p1", outcome: "success", title: "Ten calls" });
    expect(second).toEqual(first);
  });

  it("cannot be recorded for a pact that is over or another's", async () => {
    open(
      "/learning/create?pact=p1",
      mine({ own: [own({ outcome: "failure", closed_at: "2026-11-20T10:00:00+00:00" })] }),
    );
    expect(await screen.findByText("This pact is no longer here")).toBeVisible();
    expect(screen.queryByRole("form")).toBeNull();
  });
});

describe("a due day", () => {
  it("is told beside today", () => {
    const now = Date.UTC(2026, 10, 25, 23, 30);
    expect(dueText({ due_on: "2026-11-25", closed_at: null }, now)).toBe("Due today");
    expect(dueText({ due_on: "2026-11-26", closed_at: null }, now)).toBe("Due tomorrow");
    expect(dueText({ due_on: "2026-12-24", closed_at: null }, now)).toBe("Due on 24 December 2026");
    expect(dueText({ due_on: "2026-11-24", closed_at: null }, now)).toBe(
      "Overdue, was due on 24 November 2026",
    );
    const closed = { due_on: "2026-11-26", closed_at: "2026-11-24T12:00:00+00:00" };
    expect(dueText(closed, now)).toBe("Closed on 24 November 2026");
    const left = (due_on: string) => daysLeft({ due_on, closed_at: null }, now);
    // Its words stay together, however narrow the card is.
    expect(left("2026-11-27")).toBe("\u00A0· 2\u00A0days\u00A0left");
    expect([left("2026-11-24"), left("2026-11-25"), left("2026-11-26")]).toEqual([
      null,
      null,
      null,
    ]);
    expect(daysLeft({ ...closed, due_on: "2026-12-24" }, now)).toBeNull();
  });

  it("is within a year of today in UTC", () => {
    const now = Date.UTC(2026, 10, 25, 0, 30);
    const days = dueDays(now);
    expect(days).toEqual({ first: "2026-11-25", offered: "2026-12-02", last: "2027-11-26" });
    const said = (dueOn: string) =>
      pactDraftSchema(now).safeParse({ title: "A", content: "B", dueOn }).success;
    for (const day of [days.first, days.last]) expect(said(day)).toBe(true);
    for (const day of [dayOf(now - 86_400_000), "2027-11-27", "", "soon"])
      expect(said(day)).toBe(false);
  });
});

describe("the places of witnesses", () => {
  it("are three, and one who declined leaves theirs", () => {
    const inState = (state: PactWitness["state"]): PactWitness => ({ ...tom, state });
    expect(openPlaces([])).toBe(3);
    expect(openPlaces([inState("asked"), inState("accepted"), inState("lapsed")])).toBe(0);
    expect(openPlaces([inState("declined"), inState("accepted")])).toBe(2);
  });
});
