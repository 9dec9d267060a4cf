import { runAsOwner, type Account } from "./accounts.ts";

/** Records progress events of a member as the triggers do. The sources are numbered, so that none repeats. */
export async function recordProgressOf(
  account: Account,
  kind: "room_opened" | "submission" | "message" | "like",
  from: number,
  to: number,
): Promise<void> {
  await runAsOwner(
    `select private.record_progress_event($1, $2, md5($2 || n)::uuid::text)
       from generate_series($3::int, $4::int) n`,
    [account.id, kind, from, to],
  );
}

/** Shares a submission with the calls the app makes, without the browser; answers with its id. */
export async function createSubmission(
  account: Account,
  title: string,
  type: "progress_report" | "before_after" | "failure" | "success" = "success",
): Promise<string> {
  const { data, error } = await account.client
    .from("learning_submissions")
    .insert({
      user_id: account.id,
      submission_type: type,
      title,
      content: "What it took.",
      image_url: null,
    })
    .select("id")
    .single<{ id: string }>();
  if (error) throw new Error(error.message);
  return data.id;
}

/** Says something to a submission. */
export async function addComment(
  account: Account,
  submission: string,
  content: string,
): Promise<void> {
  const { error } = await account.client
    .from("learning_submission_comments")
    .insert({ user_id: account.id, submission_id: submission, content });
  if (error) throw new Error(error.message);
}
