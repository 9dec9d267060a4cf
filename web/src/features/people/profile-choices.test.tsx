import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const tomId = "22222222-2222-4222-8222-222222222222";
const rpc = (name: string) => `POST /rest/v1/rpc/${name}`;

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

function open(path: string, answers: Readonly<Record<string, Reply | (() => Reply)>>) {
  return renderApp(path, {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => {
      if (call === rpc("effective_level")) return { body: 1 };
      const answer = answers[call];
      return typeof answer === "function" ? answer() : answer;
    },
  });
}

describe("one's own choices", () => {
  it("are saved as topics, and say what is too much", async () => {
    const { seen } = open("/account#directory", { [rpc("set_profile_choices")]: { status: 204 } });
    const choices = within(await screen.findByRole("region", { name: "Directory and profile" }));
    expect(screen.getByText(/All members can see your name, occupation and bio\.$/)).toBeVisible();
    const topics = choices.getByLabelText("Ask me about");
    const save = choices.getByRole("button", { name: "Save topics" });
    expect(save).toBeDisabled();
    await userEvent.type(topics, "a,b,c,d,e,f,g,h,i");
    await userEvent.click(save);
    expect(await choices.findByText("Name up to 8 topics.")).toBeVisible();
    await userEvent.clear(topics);
    await userEvent.type(topics, "Tax  returns, pricing,");
    await userEvent.click(save);
    await waitFor(() =>
      expect(seen.find(({ call }) => call === rpc("set_profile_choices"))?.body).toEqual({
        topics: ["Tax returns", "pricing"],
        is_listed: true,
        shows_submissions: true,
        shows_achievements: true,
      }),
    );
  });

  it("are saved as soon as they are ticked, and go back when they were not", async () => {
    const answers: Reply[] = [{ status: 204 }, { status: 400, body: { code: "FF300" } }];
    const { seen } = open("/account#directory", {
      [rpc("set_profile_choices")]: () => answers.shift() ?? { status: 204 },
    });
    const choices = within(await screen.findByRole("region", { name: "Directory and profile" }));
    await userEvent.click(choices.getByLabelText("List me in the directory"));
    expect(await choices.findByText("Saved.")).toBeVisible();
    expect(seen.find(({ call }) => call === rpc("set_profile_choices"))?.body).toMatchObject({
      is_listed: false,
      shows_submissions: true,
    });
    const submissions = choices.getByLabelText("List my submissions on my profile");
    await userEvent.click(submissions);
    expect(await choices.findByText(/^That wasn't saved\. You're going too fast/)).toBeVisible();
    expect(submissions).toBeChecked();
  });

  it("show at once, and stay as ticked while an earlier one is saved and read again", async () => {
    let stored = { is_listed: true, shows_submissions: true };
    const saves: (() => void)[] = [];
    let reads = 0;
    renderApp("/account#directory", {
      session: sessionOf(),
      rows: memberRows(),
      reply: async ({ call, body }) => {
        if (call === rpc("effective_level")) return { body: 1 };
        if (call === "GET /rest/v1/profile_choices") {
          reads += 1;
          return { body: [{ topics: [], ...stored }] };
        }
        if (call !== rpc("set_profile_choices")) return undefined;
        await new Promise<void>((resolve) => saves.push(resolve));
        stored = body as typeof stored;
        return { status: 204 };
      },
    });
    const choices = within(await screen.findByRole("region", { name: "Directory and profile" }));
    const listed = choices.getByLabelText("List me in the directory");
    const submissions = choices.getByLabelText("List my submissions on my profile");
    fireEvent.click(listed);
    fireEvent.click(submissions);
    await act(async () => await Promise.resolve());
    expect(listed).not.toBeChecked();
    expect(submissions).not.toBeChecked();
    await waitFor(() => expect(saves).toHaveLength(1));
    saves[0]?.();
    await waitFor(() => expect(saves).toHaveLength(2));
    expect(reads).toBe(1);
    expect(submissions).not.toBeChecked();
    saves[1]?.();
    await waitFor(() => expect(choices.getAllByText("Saved.")).toHaveLength(2));
    expect(reads).toBe(2);
    expect(stored).toMatchObject({ is_listed: false, shows_submissions: false });
    expect(submissions).not.toBeChecked();
  });

  it("list whom one has blocked", async () => {
    let rows = [{ member_id: tomId, name: "Tom Ashworth", avatar_url: null, created_at: "2026" }];
    open("/account#blocked", {
      [rpc("my_blocks")]: () => ({ body: rows }),
      [rpc("unblock_member")]: () => {
        rows = [];
        return { status: 204 };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Unblock Tom Ashworth" }));
    expect(await screen.findByText(/^You haven't blocked anyone/)).toBeVisible();
  });
});
