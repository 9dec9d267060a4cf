import type { SupabaseClient } from "@supabase/supabase-js";

/** The answers that onboarding requires. */
export interface Newcomer {
  firstName: string;
  lastName: string;
  occupation: string;
  bio: string;
  /** What they aim for in six months and in a year; the example's goals without it. */
  goals?: readonly [sixMonths: string, year: string];
}

/** The smallest PNG there is: one transparent pixel. */
export const onePixelPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==",
  "base64",
);

const step6Answers = {
  current_situation: "Employed four days a week, with Fridays free to build something of my own.",
  biggest_challenge: "Finding the first ten customers without an audience.",
  goals_6_months: "Three paying clients and a price list I can stand behind.",
  goals_1_year: "Half of my income from my own work.",
  motivation: "To choose my hours before my children start school.",
  commitment_level: "8",
} as const;

function check(error: unknown): void {
  if (error instanceof Error) throw error;
  if (error !== null && error !== undefined) throw new Error(JSON.stringify(error));
}

/**
 * Pays for a plan with a card that succeeds, as the signed-in account of `client`.
 * @param paymentMethod a payment method id or one of the provider's test tokens.
 */
export async function payForPlan(
  client: SupabaseClient,
  plan: "student-access" | "mentor-access",
  paymentMethod = "pm_card_visa",
): Promise<void> {
  const { data, error } = await client.from("plans").select("price_id").eq("id", plan).single();
  check(error);
  check((await client.functions.invoke("create-stripe-customer")).error);
  const answer = await client.functions.invoke("stripe-create-subscription-direct", {
    body: {
      price_id: (data as { price_id: string }).price_id,
      payment_method_id: paymentMethod,
      terms_version: 1,
    },
  });
  check(answer.error);
}

/**
 * Completes the nine steps of onboarding with the wizard's calls, as the signed-in account of `client`.
 * @param picture the identity document, a PNG.
 */
export async function finishOnboarding(
  client: SupabaseClient,
  userId: string,
  person: Newcomer,
  picture: Buffer = onePixelPng,
): Promise<void> {
  const step7 = {
    first_name: person.firstName,
    last_name: person.lastName,
    occupation: person.occupation,
    bio: person.bio,
  };
  const [goals_6_months, goals_1_year] = person.goals ?? [
    step6Answers.goals_6_months,
    step6Answers.goals_1_year,
  ];
  const step6 = { ...step6Answers, goals_6_months, goals_1_year };
  const rows = [
    ...Object.entries(step6).map(([question, answer]) => ({
      page_number: 6,
      question,
      answer,
    })),
    ...Object.entries(step7).map(([question, answer]) => ({ page_number: 7, question, answer })),
  ].map((row) => ({ ...row, user_id: userId }));
  const responses = await client
    .from("onboarding_responses")
    .upsert(rows, { onConflict: "user_id,page_number,question" });
  check(responses.error);
  check((await client.from("profiles").upsert({ id: userId, ...step7 })).error);
  const document = `${userId}-verification-${Date.now()}.png`;
  const upload = await client.storage
    .from("verification-documents")
    .upload(document, picture, { contentType: "image/png" });
  check(upload.error);
  const verification = await client.from("user_verifications").insert({
    user_id: userId,
    document_type: "passport",
    document_url: document,
    status: "pending",
  });
  check(verification.error);
  const progress = await client.from("onboarding_progress").upsert({
    user_id: userId,
    current_step: 9,
    completed_steps: [1, 2, 3, 4, 5, 6, 7, 8],
    data: { ...step6, ...step7 },
  });
  check(progress.error);
  const done = await client.from("profiles").update({ onboarding_complete: true }).eq("id", userId);
  check(done.error);
  const level = await client
    .from("user_levels")
    .upsert(
      { user_id: userId, current_level: 1, unlocked_levels: [0, 1] },
      { onConflict: "user_id" },
    );
  check(level.error);
}
