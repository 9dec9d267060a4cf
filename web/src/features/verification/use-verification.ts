import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { selectVerification } from "./api/select-verification.ts";
import { uploadDocument } from "./api/upload-document.ts";
import type { DocumentType } from "./model/identity-document.ts";

/** The member's verification, and how to send a document. */
export function useVerification() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const key = ["verification", userId];
  const query = useQuery({
    queryKey: key,
    queryFn: () => selectVerification(client, userId),
    enabled: userId !== "",
    retry: 2,
  });

  /** Rejects when the document did not arrive. */
  async function upload(type: DocumentType, file: File): Promise<void> {
    await uploadDocument(client, userId, type, file);
    await queries.invalidateQueries({ queryKey: key });
  }

  return { ...query, upload };
}
