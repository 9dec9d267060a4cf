import type { Page } from "@playwright/test";
import type { Queryable } from "basehost/database";
import { demoAccounts } from "../demo/accounts.ts";
import type { Shot } from "./shot.ts";

const [student, author] = demoAccounts.map(({ email }) => email);
const admin = demoAccounts.find(({ role }) => role === "admin")?.email;
const text = "What **helped** most, @Priya Raman:\n\n- a price list\n- a call with @Tom Ashworth";

/** Makes the newest successful submission name two members, in its text and in a comment, and reports both. */
async function nameMembers(owner: Queryable): Promise<void> {
  const submission = `(select id from public.learning_submissions where submission_type = 'success' order by created_at desc limit 1)`;
  const ids = (column: string, subject: string) => `
    insert into private.mentions (${column}, user_id, name)
    select ${subject}, p.id, p.first_name || ' ' || p.last_name from public.profiles p
    where (p.first_name, p.last_name) in (('Priya', 'Raman'), ('Tom', 'Ashworth')) on conflict do nothing`;
  await owner.query(
    `update public.learning_submissions set content = $1 where id = ${submission}`,
    [text],
  );
  await owner.query(ids("submission_id", submission));
  const comment = "00000000-0000-4000-8000-0000000c0001";
  await owner.query(
    `insert into public.learning_submission_comments (id, user_id, submission_id, content)
     select '${comment}', id, ${submission}, $2 from auth.users where email = $1 on conflict do nothing`,
    [author, "Ask @Priya Raman: she did it *twice*."],
  );
  await owner.query(ids("comment_id", `'${comment}'`));
  const [found] = (
    await owner.query(`select id from public.learning_submissions where id = ${submission}`)
  ).rows;
  const report = (kind: "submission" | "comment") =>
    `insert into private.reports (kind, subject_id, ${kind}_id, author_id, user_id, reason, snapshot)
     select '${kind}', $2, $2, r.author_id, u.id, 'This reads like an advertisement.', r.snapshot
     from auth.users u, private.reported('${kind}', $2) r where u.email = $1 on conflict do nothing`;
  await owner.query(report("submission"), [student, found?.["id"]]);
  await owner.query(report("comment"), [student, comment]);
}

async function typeName(page: Page, field: string, typed: string): Promise<void> {
  await page.getByLabel(field).pressSequentially(typed);
  await page.getByRole("option").first().waitFor();
}

/** Names in texts, the list that offers them, and the queue of reported texts. */
export const mentionShots: Shot[] = [
  {
    name: "submission-mentions",
    path: "/learning/submissions?type=success",
    ...(student && { viewer: student }),
    prepare: async (page, owner) => {
      await nameMembers(owner);
      await page.reload();
      await page
        .getByRole("button", { name: /^Comments/ })
        .first()
        .click();
      await page.locator("[data-mention=you]").nth(1).waitFor();
      await typeName(page, "Your comment", "Thank you, @to");
    },
  },
  {
    name: "chat-everyone",
    path: "/chats/general",
    ...(admin && { viewer: admin }),
    prepare: async (page) => {
      await typeName(page, "Message in General", "Hello @everyone, and @e");
    },
  },
  {
    name: "console-queues-posts",
    path: "/admindash/queues?queue=reports",
    ...(admin && { viewer: admin }),
    prepare: async (page, owner) => {
      await nameMembers(owner);
      await page.reload();
      await page.getByRole("blockquote").first().waitFor();
    },
  },
];
