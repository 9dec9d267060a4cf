import { z } from "zod";
import { bearerToken, requireMember } from "../_shared/http/caller.ts";
import { callerClient } from "../_shared/database/caller-client.ts";
import type { ProcedureResult } from "../_shared/database/database-client.ts";
import type { Deps } from "../_shared/deps.ts";
import {
  emailTemplates,
  writeEmail,
  type EmailTemplateName,
} from "../_shared/emails/email-templates.ts";
import { sampleEmails } from "../_shared/emails/sample-emails.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { FunctionError, handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "preview-emails", failureMessage: "The emails could not be shown." };

const previewBody = z.object({
  /** Texts that are not saved yet, of one e-mail; null for the default. */
  draft: z
    .object({
      template: z.string().max(100),
      texts: z.record(z.string().max(100), z.string().max(1000).nullable()),
    })
    .optional(),
});

type StoredText = Omit<ProcedureResult<"email_text_overview">[number], "text"> & {
  /** Null for the default. */
  text: string | null;
};

/** Every text an administrator may change, with its default, and what each e-mail says with sample data. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    await requireMember(request, serviceClient(deps), "No active session");
    const stored = await readTexts(deps, bearerToken(request) ?? "");
    const { draft } = await parseBody(request, previewBody, "{}");
    const emails = (Object.keys(emailTemplates) as EmailTemplateName[]).map((name) =>
      describeEmail(
        name,
        stored.filter(({ template }) => template === name),
        draft?.template === name ? draft.texts : {},
      ),
    );
    return jsonResponse(200, { emails });
  });
}

/** Reads as the caller, so that the database decides who may. */
async function readTexts(deps: Deps, token: string): Promise<StoredText[]> {
  const { data, error } = await callerClient(deps, token).rpc("email_text_overview");
  if (error === null) return data;
  if (error.code.startsWith("FF")) throw new FunctionError(403, error.code, error.message);
  throw new Error("email_text_overview", { cause: error });
}

function describeEmail(
  name: EmailTemplateName,
  stored: readonly StoredText[],
  draft: Readonly<Record<string, string | null>>,
) {
  const defaults = emailTemplates[name].texts;
  const texts = Object.entries(defaults).flatMap(([key, standard]) => {
    const row = stored.find((each) => each.key === key);
    return row === undefined
      ? []
      : [{ key, standard, text: row.text, placeholders: row.placeholders }];
  });
  const changed = texts.flatMap(({ key, text }) => {
    const wanted = Object.hasOwn(draft, key) ? (draft[key] ?? null) : text;
    return wanted === null ? [] : [[key, wanted] as const];
  });
  const content = writeEmail(name, sampleEmails[name], Object.fromEntries(changed));
  return { name, texts, content };
}
