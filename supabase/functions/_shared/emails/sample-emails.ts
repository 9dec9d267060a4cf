import type { EmailTemplateName } from "./email-templates.ts";

const boughtCourse = {
  amount: 4000,
  currency: "gbp",
  happened_at: "2026-11-22T09:30:00+00:00",
  number: "ch_3QxT2bLkdIwHu7ix0AbCdEfG",
  course: "Letters That Get Answers",
  purchase_id: "7e6f0a52-6f0e-4a0f-9a57-0d7d6a3f5b11",
};

/** Data of each template for the preview pages and the tests. */
export const sampleEmails: Readonly<Record<EmailTemplateName, Readonly<Record<string, unknown>>>> =
  {
    welcome: { plan: "Student Access" },
    receipt: {
      amount: 5000,
      currency: "gbp",
      happened_at: "2026-11-22T09:30:00+00:00",
      number: "ch_3QxT2bLkdIwHu7ix0AbCdEfG",
      plan: "Student Access",
      invoice_id: "in_1QxT2bLkdIwHu7ixAbCdEfG",
      terms_version: 1,
    },
    payment_failed: {
      plan: "Student Access",
      card_last4: "4242",
      amount: 5000,
      currency: "gbp",
      next_attempt_at: "2026-11-25T09:30:00+00:00",
      access_until: "2026-11-29T09:30:00+00:00",
    },
    card_expiring: { card_last4: "4242", expires: "2026-12" },
    trial_ending: {
      plan: "Student Access",
      ends_at: "2026-12-06T09:30:00+00:00",
      amount: 5000,
      currency: "gbp",
    },
    renewal_coming: {
      plan: "Student Access",
      renews_at: "2026-12-22T09:30:00+00:00",
      amount: 5000,
      currency: "gbp",
    },
    membership_withdrawn: {
      plan: "Student Access",
      amount: 5000,
      currency: "gbp",
      withdrawn_at: "2026-11-29T09:30:00+00:00",
    },
    plan_changed: {
      from: "Student Access",
      plan: "Mentor Access",
      renews_at: "2026-12-22T09:30:00+00:00",
    },
    membership_cancelled: { plan: "Student Access", ends_at: "2026-12-22T09:30:00+00:00" },
    membership_ended: { plan: "Student Access", why: "unpaid" },
    payment_refunded: {
      amount: 1500,
      currency: "gbp",
      happened_at: "2026-11-22T09:30:00+00:00",
      number: "ch_3QxT2bLkdIwHu7ix0AbCdEfG",
      plan: "Student Access",
    },
    course_receipt: boughtCourse,
    course_refunded: { ...boughtCourse, amount: 1500 },
    course_disputed: boughtCourse,
    course_dispute_won: boughtCourse,
    payment_disputed: {
      amount: 5000,
      currency: "gbp",
      happened_at: "2026-11-22T09:30:00+00:00",
      number: "ch_3QxT2bLkdIwHu7ix0AbCdEfG",
      plan: "Student Access",
    },
    dispute_won: {
      amount: 5000,
      currency: "gbp",
      happened_at: "2026-11-22T09:30:00+00:00",
      number: "ch_3QxT2bLkdIwHu7ix0AbCdEfG",
      plan: "Student Access",
    },
    dispute_opened: {
      amount: 5000,
      currency: "gbp",
      happened_at: "2026-11-22T09:30:00+00:00",
      number: "ch_3QxT2bLkdIwHu7ix0AbCdEfG",
      plan: "Student Access",
      dispute: "du_1QxT2bLkdIwHu7ix",
      reason: "fraudulent",
    },
    digest: {
      count: 12,
      lines: [
        {
          kind: "mention",
          topic: "rooms",
          actor: "Tom Whitfield",
          others: 0,
          room: "General",
          chat_room_id: "general",
          message_id: "6f1d0c6e-3c3f-4a53-9a52-0f3f4f1f8a11",
        },
        {
          kind: "submission_like",
          topic: "submissions",
          actor: "Grace Okafor",
          others: 3,
          submission_id: "0b6f8f4e-5f0a-4c34-8d4f-8f0e6a1f2b33",
        },
        { kind: "level_up", topic: "progress", detail: "2", actor: null, others: 0 },
      ],
    },
    identity_approved: { document_type: "passport" },
    identity_rejected: {
      document_type: "drivers_license",
      reason: "The picture is blurred.\nThe number can't be read.",
    },
    identity_attempts_reset: {},
    guarantee_granted: { reason: "Your payslips show what your record says." },
    guarantee_declined: {
      reason: "The statement you sent can't be read.",
      appeal_until: "2026-12-22T09:30:00+00:00",
    },
    guarantee_baseline: { until: "2026-11-29T09:30:00+00:00" },
    guarantee_check_in: { until: "2026-11-29T09:30:00+00:00" },
    guarantee_claim_open: { until: "2026-12-22T09:30:00+00:00" },
    account_suspended: {
      reason: "Several members reported advertising in the rooms.",
      until: "2026-12-22T09:30:00+00:00",
    },
  };
