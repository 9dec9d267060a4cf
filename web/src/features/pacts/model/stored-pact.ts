import * as z from "zod/mini";
import { storedDraft } from "@/lib/stored-draft.ts";

const storedPactSchema = z.object({
  title: z.string(),
  dueOn: z.string(),
  content: z.string(),
  witnesses: z.array(
    z.object({ id: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) }),
  ),
});

/** The pact that was not made, with the members who are going to be asked. */
export const storedPact = storedDraft("pact-draft", storedPactSchema);
