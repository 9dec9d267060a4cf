import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { AdminFigures } from "../model/figures.ts";

const row = z.object({
  accounts: z.number(),
  onboarded_members: z.number(),
  paying_students: z.number(),
  paying_mentors: z.number(),
  past_due: z.number(),
  cancelling: z.number(),
  monthly_revenue_pence: z.nullable(z.number()),
  pending_verifications: z.number(),
  flagged_accounts: z.number(),
  signups_this_week: z.number(),
});
const answer = z.tuple([row], z.unknown());

/** Reads how the community stands. Administrators only. Throws the database's error. */
export async function fetchAdminFigures(client: BackendClient): Promise<AdminFigures> {
  const { data, error } = await client.rpc("admin_figures");
  if (error) throw error;
  const [found] = answer.parse(data);
  return {
    accounts: found.accounts,
    onboardedMembers: found.onboarded_members,
    payingStudents: found.paying_students,
    payingMentors: found.paying_mentors,
    pastDue: found.past_due,
    cancelling: found.cancelling,
    monthlyRevenuePence: found.monthly_revenue_pence,
    pendingVerifications: found.pending_verifications,
    flaggedAccounts: found.flagged_accounts,
    signupsThisWeek: found.signups_this_week,
  };
}
