import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";

const blocks = knownItems(
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("paragraph"), text: z.string() }),
    z.object({ type: z.literal("quote"), text: z.string() }),
    z.object({ type: z.literal("facts"), rows: z.array(z.tuple([z.string(), z.string()])) }),
    z.object({ type: z.literal("links"), rows: z.array(z.object({ text: z.string() })) }),
  ]),
);
const answer = z.object({
  emails: z.array(
    z.object({
      name: z.string(),
      texts: z.array(
        z.object({
          key: z.string(),
          standard: z.string(),
          text: z.nullable(z.string()),
          placeholders: z.array(z.string()),
        }),
      ),
      content: z.object({
        subject: z.string(),
        heading: z.string(),
        blocks,
        action: z.optional(z.object({ label: z.string() })),
        because: z.string(),
      }),
    }),
  ),
});

/** An e-mail with its changeable texts, and what it says with sample data. */
export type EmailSettings = z.infer<typeof answer>["emails"][number];
export type EmailTextSetting = EmailSettings["texts"][number];

/** Texts that are not saved yet, of one e-mail. */
export interface EmailDraft {
  readonly template: string;
  /** Null for the default. */
  readonly texts: Readonly<Record<string, string | null>>;
}

const refusal = z.object({ code: z.string(), error: z.string() });

/** Reads every e-mail of the product. Throws the database's error, such as FF005 without a second factor. */
export async function fetchEmails(
  client: BackendClient,
  draft?: EmailDraft,
): Promise<readonly EmailSettings[]> {
  const { data, error } = await client.functions.invoke<unknown>("preview-emails", {
    body: draft === undefined ? {} : { draft },
  });
  if (!error) return answer.parse(data).emails;
  const context: unknown = (error as { context?: unknown }).context;
  const said = context instanceof Response ? await context.json().catch(() => null) : null;
  const refused = refusal.safeParse(said);
  if (!refused.success) throw error;
  throw Object.assign(new Error(refused.data.error), { code: refused.data.code });
}

/** Replaces a text; null brings the default back. Throws the database's error. */
export async function setEmailText(
  client: BackendClient,
  template: string,
  key: string,
  text: string | null,
): Promise<void> {
  const { error } = await client.rpc("set_email_text", {
    template,
    key,
    ...(text === null ? {} : { new_text: text }),
  });
  if (error) throw error;
}
