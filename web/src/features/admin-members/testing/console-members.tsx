import type { Session } from "@supabase/supabase-js";
import { answerCode, verifiedSession } from "@/app/testing/second-factor.ts";
import { memberRows, renderApp, type Reply } from "@/app/testing/test-app.tsx";

export const graceId = "22222222-2222-4222-8222-222222222222";
const joined_at = "2026-03-01T10:00:00+00:00";
export const grace = {
  user_id: graceId,
  email: "grace@example.com",
  name: "Grace Hopper",
  role: "student",
  level: 2,
  membership: "paying",
  is_suspended: false,
  joined_at,
};
export const nameless = {
  ...grace,
  user_id: "33333333-3333-4333-8333-333333333333",
  email: "new@example.com",
  name: "",
  level: 0,
  membership: "never_paid",
};

/** Answer of member_detail. */
export function detailOf(differs: object = {}, subscription: object | null = { status: "active" }) {
  return {
    account: {
      id: graceId,
      email: "grace@example.com",
      name: "Grace Hopper",
      occupation: "Admiral",
      role: "student",
      level: 2,
      joined_at,
      last_sign_in_at: null,
      is_confirmed: true,
      is_onboarded: true,
      is_trusted: false,
      has_second_factor: false,
      sessions: 2,
      suspension: null,
      ...differs,
    },
    billing: {
      membership: "paying",
      subscription: subscription && {
        hold: null,
        plan: "Student Access",
        pending_plan: null,
        period_ends_at: "2026-04-01T10:00:00+00:00",
        ends_with_period: false,
        card_brand: "visa",
        card_last4: "4242",
        ...subscription,
      },
      paid_pence: 15000,
      refunded_pence: 5000,
      records: [],
    },
    progress: {
      completions: [{ level: 1, completed_at: joined_at }],
      requirements: [{ level: 1, kind: "rooms", category: null, needed: 5, count: 5 }],
      evidence: [
        {
          id: 1,
          kind: "rooms",
          category: null,
          label: "General",
          path: "/chats/general",
          happened_at: joined_at,
        },
      ],
    },
    conduct: {
      submission_count: 0,
      submissions: [],
      reports_made: 0,
      reports_received: 0,
      reports: [],
    },
    identity: {
      is_flagged: false,
      documents: [
        {
          id: "document-1",
          document_type: "drivers_license",
          status: "approved",
          submitted_at: "2026-03-01T10:00:00+00:00",
          reviewed_at: "2026-03-02T10:00:00+00:00",
          rejected_reason: null,
        },
      ],
    },
    notes: [],
    audit: [],
  };
}

/** An administrator's console whose answers can be replaced, by the name of the function. */
export function openMembers(
  path: string,
  answers: Record<string, (body: unknown) => Reply> = {},
  session: Session = verifiedSession(),
) {
  return renderApp(path, {
    session,
    rows: memberRows({ role: "admin" }),
    reply: ({ call, body }) => {
      const exact = answers[call];
      if (exact) return exact(body);
      const checked = answerCode(call, body);
      if (checked) return checked;
      const name = /\/(?:rpc|functions\/v1)\/([\w-]+)$/.exec(call)?.[1] ?? "";
      const own = answers[name];
      if (own) return own(body);
      if (name === "member_page") return { body: [grace, nameless] };
      if (name === "member_detail") return { body: detailOf() };
      return undefined;
    },
  });
}

type View = ReturnType<typeof openMembers>;
/** Body of the last call of a function. */
export const bodyOf = (view: View, name: string) =>
  view.seen.findLast(({ call }) => call.endsWith(`/${name}`))?.body;
