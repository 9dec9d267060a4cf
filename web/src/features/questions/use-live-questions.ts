import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useBell } from "@/features/notifications/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { questionKeys } from "./queries.ts";

const kinds: readonly string[] = ["question", "answer", "answer_helpful"];

/** Reads the questions on the page again when the bell brings a new question, answer or mark on an answer. */
export function useLiveQuestions(): void {
  const queries = useQueryClient();
  const userId = useUserId();
  const items = useBell().data?.pages[0]?.items;
  const newest = items?.reduce(
    (max, { id, kind }) => (kinds.includes(kind) ? Math.max(max, id) : max),
    0,
  );
  const before = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (newest === undefined) return;
    const isNew = before.current !== undefined && newest > before.current;
    before.current = newest;
    if (isNew) void queries.invalidateQueries({ queryKey: questionKeys.all(userId) });
  }, [newest, queries, userId]);
}
