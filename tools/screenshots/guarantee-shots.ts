import type { Page } from "@playwright/test";
import type { Queryable } from "basehost/database";
import { demoAccounts } from "../demo/accounts.ts";
import type { Shot } from "./shot.ts";

const emailOf = (role: string) => demoAccounts.find((account) => account.role === role)?.email;
const [student, admin] = [emailOf("student"), emailOf("admin")];

/** Lets the guarantee begin today, so that the baseline can be written down. */
async function openBaseline(page: Page, owner: Queryable): Promise<void> {
  await owner.query("update private.guarantee_terms set opened_at = now()");
  await page.reload();
  await page.getByLabel("What you earn a month, in pounds").waitFor();
}

/** A claim of the student, in a state, with a record of six months. */
function openClaim(state: "filed" | "granted"): NonNullable<Shot["prepare"]> {
  return async (page, owner) => {
    await owner.query("delete from private.guarantee_claims");
    await owner.query("delete from private.guarantee_check_ins");
    await owner.query("delete from private.guarantee_baselines");
    await owner.query(
      `with member as (select id from auth.users where email = $1), baseline as (
         insert into private.guarantee_baselines (user_id, started_at, monthly_pence, source, terms, document_name)
         select m.id, now() - interval '6 months 3 days', 150000, 'Wages of the clinic', to_jsonb(t), m.id || '-baseline-1.pdf'
         from member m, private.guarantee_terms t
       ), check_ins as (
         insert into private.guarantee_check_ins (user_id, month_number, monthly_pence)
         select m.id, n, 150000 + n * 2500 from member m, generate_series(1, 6) n
       )
       insert into private.guarantee_claims (user_id, monthly_pence, statement, lines, state, reason, decided_at)
       select m.id, 165000, 'My payslips of the last three months', l.lines, $2,
         case when $2 = 'granted' then 'Payslips seen' end, case when $2 = 'granted' then now() end
       from member m, (select jsonb_agg(jsonb_build_object('line', v.line, 'needed', v.needed, 'held', v.held, 'met', true)) as lines
         from (values ('check_ins', 6, 6), ('submissions', 12, 15), ('messages', 150, 212), ('articles', 12, 19), ('membership', 6, 6), ('income', 1500000, 165000))
           v (line, needed, held)) l`,
      [student, state],
    );
    await page.reload();
    await page.getByRole("button", { name: /, (?:Claim|Granted, not settled)$/ }).click();
    await page.getByRole("dialog").waitFor();
  };
}

/** The first week of the guarantee, and a claim in the console while it waits and after it was granted. */
export const guaranteeShots: Shot[] = [
  {
    name: "baseline",
    path: "/progress/guarantee",
    ...(student && { viewer: student }),
    prepare: openBaseline,
  },
  ...(["filed", "granted"] as const).map((state) => ({
    name: `console-claim-${state}`,
    path: "/admindash/money?view=guarantee",
    ...(admin && { viewer: admin }),
    prepare: openClaim(state),
  })),
];
