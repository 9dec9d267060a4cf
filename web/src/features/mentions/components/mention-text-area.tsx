import { useEffect, useId, useRef, useState } from "react";
import { TextArea, type TextAreaProps } from "@/ui/text-field.tsx";
import { insertMention, type Mention } from "../model/mention.ts";
import { useMentionPicker } from "../use-mention-picker.ts";
import { MentionPicker, mentionOptionId } from "./mention-picker.tsx";

export interface MentionTextAreaProps extends TextAreaProps {
  /** Where the text will stand; null for the feed. */
  readonly room: string | null;
  /** False where nobody has to be named, as in a conversation of two. */
  readonly offered?: boolean;
  /** The name is in the text by then. */
  readonly onPick: (member: Mention) => void;
}

/** A field for several lines in which `@` and letters offer the members who may be named there. */
export function MentionTextArea({
  room,
  offered = true,
  onPick,
  onChange,
  onSelect,
  onKeyDown,
  fieldClassName,
  ...input
}: MentionTextAreaProps) {
  const [{ text, caret }, setWritten] = useState({ text: "", caret: 0 });
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const picker = useMentionPicker(room, text, caret, offered);
  const picking = picker.options.length > 0;

  useEffect(() => {
    if (!picking) return undefined;
    // Escape closes the list, not the window around the field.
    const keep = (event: KeyboardEvent) => {
      if (event.key === "Escape") event.preventDefault();
    };
    window.addEventListener("keydown", keep, true);
    return () => window.removeEventListener("keydown", keep, true);
  }, [picking]);

  function look(element: HTMLTextAreaElement): void {
    field.current = element;
    setWritten({ text: element.value, caret: element.selectionStart });
  }

  function pick(option: Mention): void {
    const element = field.current;
    if (!picker.typed || !element) return;
    const next = insertMention(text, caret, picker.typed.at, option);
    onPick(option);
    // As if it had been typed, so that the form around the field learns of it.
    element.setRangeText(next.text, 0, element.value.length);
    element.setSelectionRange(next.caret, next.caret);
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.focus();
  }

  return (
    <div className={fieldClassName ? `relative ${fieldClassName}` : "relative"}>
      {picking ? (
        <MentionPicker
          listId={listId}
          options={picker.options}
          active={picker.active}
          onPick={pick}
          className="inset-x-0 max-h-46"
        />
      ) : null}
      <TextArea
        {...input}
        aria-autocomplete="list"
        aria-controls={picking ? listId : undefined}
        aria-activedescendant={picking ? mentionOptionId(listId, picker.active) : undefined}
        onChange={(event) => {
          look(event.currentTarget);
          onChange?.(event);
        }}
        onSelect={(event) => {
          look(event.currentTarget);
          onSelect?.(event);
        }}
        onKeyDown={(event) => {
          if (picker.onKeyDown(event, pick)) event.stopPropagation();
          else onKeyDown?.(event);
        }}
      />
    </div>
  );
}
