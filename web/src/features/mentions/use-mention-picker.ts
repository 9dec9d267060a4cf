import { useState, type KeyboardEvent } from "react";
import { useSession } from "@/features/session/index.ts";
import { isComposing } from "@/ui/composition.ts";
import { everyone, typedMention, type Mention } from "./model/mention.ts";
import { useMentionable } from "./queries.ts";

interface MentionPickerState {
  /** Empty while no name is being typed. */
  readonly options: readonly Mention[];
  readonly active: number;
  /** @returns whether the key belonged to the open list */
  readonly onKeyDown: (event: KeyboardEvent, onPick: (option: Mention) => void) => boolean;
  readonly typed: ReturnType<typeof typedMention>;
}

/**
 * Who may be meant by the name that is being typed before the caret: in a room, or without one in the feed. Nobody
 * where names are not offered.
 */
export function useMentionPicker(
  room: string | null,
  text: string,
  caret: number,
  offered = true,
): MentionPickerState {
  const { role } = useSession();
  const typed = typedMention(text, caret);
  const [closedAt, setClosedAt] = useState<number | null>(null);
  // Closed with Escape for this name only.
  if (typed === null && closedAt !== null) setClosedAt(null);
  const [chosen, setChosen] = useState({ typed: "", index: 0 });
  const word = typed?.typed ?? "";
  const open = offered && typed !== null && typed.at !== closedAt;
  const { data } = useMentionable(room, word, open);
  const all =
    role === "admin" && room !== null && everyone.name.startsWith(word.toLowerCase())
      ? [everyone]
      : [];
  const options = open ? [...all, ...(data ?? [])] : [];
  const active = chosen.typed === word ? Math.min(chosen.index, options.length - 1) : 0;

  function onKeyDown(event: KeyboardEvent, onPick: (option: Mention) => void): boolean {
    const option = options[active];
    if (!option || isComposing(event.nativeEvent)) return false;
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
