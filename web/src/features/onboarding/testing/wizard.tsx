import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import {
  adaId,
  memberRows,
  renderApp,
  sessionOf,
  type Reply,
  type TestAppOptions,
} from "@/app/testing/test-app.tsx";

export const answers = {
  current_situation: "Employed",
  biggest_challenge: "Time",
  goals_6_months: "Ship",
  goals_1_year: "Earn",
  motivation: "Freedom",
  commitment_level: "8",
  first_name: "Ada",
  last_name: "Lovelace",
  occupation: "Analyst",
  bio: "",
};

interface Situation {
  readonly step?: number;
  readonly data?: object;
  readonly role?: string;
  readonly path?: string;
  readonly replies?: Readonly<Record<string, Reply>>;
  readonly document?: object;
  readonly rejected?: number;
}

/** Opens the wizard for a member in this situation. */
export function open({
  step,
  data = {},
  role = "student",
  path = "/onboarding",
  replies = {},
  document,
  rejected = 0,
}: Situation = {}) {
  const profile = { id: adaId, role, onboarding_complete: false };
  let latest = document;
  const world: TestAppOptions = {
    session: sessionOf(),
    rows: {
      ...memberRows({ role }),
      profiles: null,
      onboarding_progress: step === undefined ? null : { current_step: step, data },
    },
    reply: ({ call }) => {
      const own = replies[call];
      if (own) return own;
      if (call.startsWith("HEAD")) {
        return { status: 200, headers: { "content-range": `*/${rejected}` } };
      }
      if (call === "GET /rest/v1/profiles") return { body: [profile] };
      if (call === "PATCH /rest/v1/profiles") {
        profile.onboarding_complete = true;
        return { status: 204 };
      }
      if (call === "GET /rest/v1/user_verifications") return { body: latest ? [latest] : [] };
      if (call === "POST /rest/v1/user_verifications") {
        latest = { status: "pending" };
        return { status: 201 };
      }
      return call.startsWith("POST /storage/") ? { body: { Key: "k" } } : undefined;
    },
  };
  return renderApp(path, world);
}

export const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
export const press = async (name: string) =>
  userEvent.click(await screen.findByRole("button", { name }));
/** What was sent with each such request. */
export const bodies = (view: ReturnType<typeof open>, call: string) =>
  view.seen.filter((each) => each.call === call).map((each) => each.body);
export const saved = "POST /rest/v1/onboarding_progress";
