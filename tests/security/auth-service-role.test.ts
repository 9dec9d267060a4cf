import { expect, test } from "vitest";
import { signUp } from "../support/clients.ts";
import { owner } from "./members.ts";

test("the auth service connects as supabase_auth_admin only", async () => {
  await signUp();
  const { rows } = await owner.query(
    "select distinct usename from pg_stat_activity where application_name = 'host-auth'",
  );
  expect(rows).toEqual([{ usename: "supabase_auth_admin" }]);
});
