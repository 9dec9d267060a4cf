import { onePixelPng } from "../../tools/demo/join.ts";
import { studentPlan, type BillingFixture, type Payer } from "./billing.ts";

/** A claim of a member under the guarantee, past the rules. @returns its id. */
export async function claimInState(
  billing: BillingFixture,
  member: Payer,
  state: "filed" | "granted",
): Promise<string> {
  const [claim] = await billing.sql(
    `insert into private.guarantee_claims (user_id, monthly_pence, statement, lines, state)
     values ($1, 150000, 'Payslip', '[]', $2) returning id`,
    [member.id, state],
  );
  return String(claim?.["id"]);
}

/** A claim that waits, of a member whose baseline has a document. @returns its id. */
export async function claimWithDocument(billing: BillingFixture): Promise<string> {
  const member = await billing.memberWith(studentPlan);
  const document_name = `${member.id}-baseline-1.png`;
  const documents = member.client.storage.from("guarantee-documents");
  const stored = await documents.upload(document_name, onePixelPng, { contentType: "image/png" });
  if (stored.error) throw stored.error;
  const baseline = { monthly_pence: 150_000, source: "Salary", document_name };
  const { error } = await member.client.rpc("record_guarantee_baseline", baseline);
  if (error) throw new Error(error.message);
  return await claimInState(billing, member, "filed");
}
