import * as z from "zod/mini";
import { storedDraft } from "@/lib/stored-draft.ts";

/** Why a document is rejected, until that is sent, by the document's version. */
export const storedReason = storedDraft("rejection-reason", z.string());
