import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const certificateId = "22222222-2222-4222-8222-222222222222";
const code = "0123456789abcdefghjk";
const payload = "<b>Ada</b>";

const achievements = {
  earned: [
    {
      key: "first_room",
      measure: "rooms",
      title: "First room",
      line: "Opened a first room.",
      earned_on: "2026-11-02",
    },
  ],
  next: [
    { key: "courses_5", measure: "courses", title: "Five courses", needed: 5, count: 2 },
    { key: "weeks_4", measure: "weeks", title: "Four weeks", needed: 4, count: 3 },
    { key: "level_2", measure: "levels", title: "Level 2: Knowledge", needed: 1, count: 0 },
  ],
  streak: { weeks: 3, is_active_this_week: false },
  is_shown: true,
  certificates: [
    {
      id: certificateId,
      course_id: null,
      course: payload,
      completed_on: "2026-11-03",
      is_revoked: false,
    },
  ],
  shared: [],
};

const certificate = {
  id: certificateId,
  code,
  name: payload,
  course: "Pricing your work",
  mentor: null,
  completed_on: "2026-11-03",
  is_revoked: false,
};

function rpc(name: string): string {
  return `POST /rest/v1/rpc/${name}`;
}

function open(path: string, replies: Record<string, Reply> = {}, rows = memberRows()) {
  return renderApp(path, {
    session: sessionOf(),
    rows,
    reply: ({ call }) =>
      replies[call] ?? (call === rpc("my_achievements") ? { body: achievements } : undefined),
  });
}

describe("the page of achievements", () => {
  it("shows what was achieved, the streak, certificates and what is next", async () => {
    open("/achievements");
    const earned = await screen.findByRole("region", { name: "Achieved" });
    expect(within(earned).getByRole("listitem")).toHaveTextContent(
      "First roomOpened a first room.2 November 2026",
    );
    expect(
      screen.getByText("You're on a 3-week streak. Do something this week to keep it."),
    ).toBeVisible();
    const certificates = screen.getByRole("region", { name: "Certificates" });
    expect(within(certificates).getByRole("link")).toHaveAttribute(
      "href",
      `/certificates/${certificateId}`,
    );
    expect(within(certificates).getByText(payload)).toBeVisible();
    const next = screen.getByRole("region", { name: "Next" });
    expect(within(next).getByRole("progressbar", { name: "Five courses" })).toHaveAttribute(
      "aria-valuetext",
      "2 of 5 courses",
    );
  });

  it("says what will be here, and what to do when it can't be loaded", async () => {
    const empty = {
      ...achievements,
      earned: [],
      certificates: [],
      streak: { weeks: 0, is_active_this_week: false },
    };
    const replies: Record<string, Reply> = {
      [rpc("my_achievements")]: { status: 400, body: { code: "FF001", message: "no" } },
    };
    open("/achievements", replies);
    expect(await screen.findByText("We couldn't load your achievements")).toBeVisible();
    replies[rpc("my_achievements")] = { body: empty };
    await userEvent.click(screen.getByRole("button", { name: /try again/i }));
    expect(await screen.findByText("Nothing here yet")).toBeVisible();
    expect(await screen.findByRole("link", { name: "Open the chat rooms" })).toHaveAttribute(
      "href",
      "/chats",
    );
    expect(screen.getByText(/No streak at the moment/)).toBeVisible();
    expect(
      screen.getByText("You get a certificate for every course you finish as a member."),
    ).toBeVisible();
  });

  it("leads nobody without a membership to the chat rooms", async () => {
    const body = { ...achievements, earned: [] };
    open(
      "/achievements",
      { [rpc("my_achievements")]: { body } },
      memberRows({ status: "canceled" }),
    );
    expect(await screen.findByText("Nothing here yet")).toBeVisible();
    expect(screen.queryByRole("link", { name: "Open the chat rooms" })).not.toBeInTheDocument();
  });

  it("makes nothing public before it is asked to, and says so when it fails", async () => {
    const { calls, seen } = open("/achievements", {
      [rpc("share_card")]: { status: 400, body: { code: "FF860", message: "no" } },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Share First room" }));
    const dialog = await screen.findByRole("dialog", { name: "Share this" });
    expect(calls()).not.toContain(rpc("share_card"));
    await userEvent.click(within(dialog).getByRole("button", { name: "Keep it private" }));
    expect(calls()).not.toContain(rpc("share_card"));
    await userEvent.click(screen.getByRole("button", { name: "Share First room" }));
    await userEvent.click(await screen.findByRole("button", { name: "Make it public" }));
    expect(await screen.findByText(/We couldn't share this\. It isn't yours/)).toBeVisible();
    expect(seen.find(({ call }) => call === rpc("share_card"))?.body).toEqual({
      achievement: "first_room",
    });
  });
});

describe("a certificate", () => {
  it.each([
    ["names its mentor", "Grace Hopper"],
    ["names none where the course is the house's own", null],
  ])("%s", async (_, mentor) => {
    const body = { ...certificate, mentor };
    open(`/certificates/${certificateId}`, { [rpc("my_certificate")]: { body } });
    const sheet = within(await screen.findByRole("article"));
    expect(sheet.queryAllByText("Mentor")).toHaveLength(mentor === null ? 0 : 1);
    expect(sheet.queryAllByText(mentor ?? "Fourfold", { selector: "bdi" })).toHaveLength(
      mentor === null ? 0 : 1,
    );
  });

  it("prints its names as text, with the code in groups", async () => {
    open(`/certificates/${certificateId}`, { [rpc("my_certificate")]: { body: certificate } });
    const sheet = await screen.findByRole("article", { name: "Certificate for Pricing your work" });
    expect(within(sheet).getByText(payload)).toBeVisible();
    expect(within(sheet).getByText("01234-56789-ABCDE-FGHJK")).toBeVisible();
    expect(within(sheet).getByText("3 November 2026")).toBeVisible();
    expect(screen.getByRole("link", { name: "open the public page" })).toHaveAttribute(
      "href",
      `/verify/${code}`,
    );
    expect(screen.getByRole("button", { name: "Print or save as PDF" })).toBeVisible();
  });

  it("is shared where it is seen", async () => {
    open(`/certificates/${certificateId}`, { [rpc("my_certificate")]: { body: certificate } });
    await userEvent.click(await screen.findByRole("button", { name: "Share Pricing your work" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Share this" }));
    expect(dialog.getByRole("button", { name: "Make it public" })).toBeVisible();
  });

  it("is not printed once it was revoked, and another's is not found", async () => {
    const replies: Record<string, Reply> = {
      [rpc("my_certificate")]: { body: { ...certificate, is_revoked: true } },
    };
    const { router } = open(`/certificates/${certificateId}`, replies);
    expect(await screen.findByText(/This certificate was revoked/)).toBeVisible();
    expect(screen.queryByRole("article")).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Print/ })).not.toBeInTheDocument();
    replies[rpc("my_certificate")] = { body: null };
    await router.navigate("/certificates/33333333-3333-4333-8333-333333333333");
    expect(await screen.findByText("Certificate not found")).toBeVisible();
  });
});

describe("the page that verifies", () => {
  const verify = "POST /functions/v1/verify-certificate";
  const answer = (differs: object | null) => ({
    body: {
      certificate: differs && {
        name: payload,
        course: "Pricing",
        mentor: "Grace",
        completed_on: "2026-11-03",
        is_revoked: false,
        ...differs,
      },
    },
  });
  const visit = (path: string, reply: Reply) =>
    renderApp(path, { reply: ({ call }) => (call === verify ? reply : undefined) });

  it("tells a visitor what a certificate says, and no more", async () => {
    visit(`/verify/${code}`, answer({}));
    expect(await screen.findByRole("heading", { name: "This certificate is valid" })).toBeVisible();
    expect(screen.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual([
      payload,
      "Pricing",
      "3 November 2026",
      "Grace",
    ]);
    expect(screen.queryByRole("button", { name: /Revoke/ })).not.toBeInTheDocument();
  });

  it("says revoked, unknown, and too many apart", async () => {
    const revoked = visit(`/verify/${code}`, answer({ is_revoked: true }));
    expect(
      await screen.findByRole("heading", { name: "This certificate was revoked" }),
    ).toBeVisible();
    revoked.unmount();
    const unknown = visit("/verify/nothing", answer(null));
    expect(await screen.findByText("No certificate has this code")).toBeVisible();
    unknown.unmount();
    visit("/verify/other", { status: 429, body: { code: "too_many_requests" } });
    expect(await screen.findByText("We couldn't look this up")).toBeVisible();
  });

  it("takes a code typed from paper", async () => {
    const { seen } = visit("/verify", answer({}));
    await userEvent.type(await screen.findByLabelText("Code"), "01234-56789-ABCDE-FGHJK");
    await userEvent.click(screen.getByRole("button", { name: "Look it up" }));
    expect(await screen.findByText("This certificate is valid")).toBeVisible();
    expect(seen.find(({ call }) => call === verify)?.body).toEqual({
      code: "0123456789ABCDEFGHJK",
    });
  });

  it("lets an administrator revoke it, with a reason", async () => {
    const { seen } = open(
      `/verify/${code}`,
      { [verify]: answer({}), [rpc("revoke_certificate")]: { status: 204 } },
      memberRows({ role: "admin" }),
    );
    await userEvent.click(await screen.findByRole("button", { name: "Revoke this certificate" }));
    await userEvent.click(await screen.findByRole("button", { name: "Revoke" }));
    expect(await screen.findByText("Say why.")).toBeVisible();
    await userEvent.type(screen.getByLabelText("Reason"), "Copied work");
    await userEvent.click(screen.getByRole("button", { name: "Revoke" }));
    await waitFor(() =>
      expect(seen.find(({ call }) => call === rpc("revoke_certificate"))?.body).toEqual({
        code,
        reason: "Copied work",
      }),
    );
  });
});

describe("a shared card", () => {
  it("shows its words and nothing else, also when it is gone", async () => {
    const card = { name: payload, title: "Four weeks", line: "Active.", day: "2026-11-03" };
    const reply: Reply[] = [{ body: { card, svg: "<svg/>" } }, { body: { card: null, svg: null } }];
    const visit = () =>
      renderApp(`/shared/${code}`, {
        reply: ({ call }) =>
          call === "POST /functions/v1/shared-card" ? reply.shift() : undefined,
      });
    const first = visit();
    expect(await screen.findByRole("heading", { name: "Four weeks" })).toBeVisible();
    expect(screen.getByRole("main")).toHaveTextContent(
      /^FourfoldFour weeksActive\.<b>Ada<\/b>3 November 2026$/,
    );
    expect(screen.queryByRole("link")).not.toBeInTheDocument();
    first.unmount();
    visit();
    expect(await screen.findByText("There is nothing here")).toBeVisible();
  });
});
