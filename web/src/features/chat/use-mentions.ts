import { useQuery } from "@tanstack/react-query";
import { useState, type KeyboardEvent } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { fetchMentionable } from "./api/fetch-mentionable.ts";
import { typedMention } from "./model/mention.ts";
import type { Mention } from "./model/message.ts";
import { chatKeys } from "./queries.ts";

export interface Mentions {
  /** Empty while no name is being typed. */
  readonly options: readonly Mention[];
  readonly active: number;
  /** @returns whether the key belonged to the open list */
  readonly onKeyDown: (event: KeyboardEvent, onPick: (option: Mention) => void) => boolean;
  readonly typed: ReturnType<typeof typedMention>;
}

/** Who may be meant by the name that is being typed before the caret. */
export function useMentions(roomId: string, text: string, caret: number): Mentions {
  const { client } = useBackend();
  const typed = typedMention(text, caret);
  const [closedAt, setClosedAt] = useState<number | null>(null);
  /* Closed with Escape for this name only. */
  if (typed === null && closedAt !== null) setClosedAt(null);
  const [chosen, setChosen] = useState({ typed: "", index: 0 });
  const word = typed?.typed ?? "";
  const open = typed !== null && typed.at !== closedAt;
  const { data } = useQuery({
    queryKey: chatKeys.mentionable(roomId, word),
    queryFn: () => fetchMentionable(client, roomId, word),
    enabled: open,
    retry: false,
    staleTime: 60_000,
  });
  const options = open ? (data ?? []) : [];
  const active = chosen.typed === word ? Math.min(chosen.index, options.length - 1) : 0;

  function onKeyDown(event: KeyboardEvent, onPick: (option: Mention) => void): boolean {
    const option = options[active];
    if (!option || event.nativeEvent.isComposing) return false;
    const move = (by: number) =>
      setChosen({ typed: word, index: (active + by + options.length) % options.length });
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Escape") setClosedAt(typed?.at ?? null);
    else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) onPick(option);
    else return false;
    event.preventDefault();
    return true;
  }

  return { options, active, onKeyDown, typed };
}
