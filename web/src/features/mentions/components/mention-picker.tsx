import { useEffect } from "react";
import { classNames } from "@/ui/class-names.ts";
import type { Mention } from "../model/mention.ts";
import { mentionStrings } from "../strings.ts";

/** The id of an option, for `aria-activedescendant`. */
export const mentionOptionId = (listId: string, index: number) => `${listId}-${index}`;

/** The members whom the name being typed may mean. The keys are handled by the message field. */
export function MentionPicker(props: {
  readonly listId: string;
  readonly options: readonly Mention[];
  readonly active: number;
  readonly onPick: (option: Mention) => void;
  readonly className?: string | undefined;
}) {
  const { listId, options, active, onPick, className } = props;
  useEffect(() => {
    document.querySelector(`#${CSS.escape(mentionOptionId(listId, active))}`)?.scrollIntoView({
      block: "nearest",
    });
  }, [listId, active]);
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={mentionStrings.options}
      className={classNames(
        "absolute bottom-full z-10 mb-2 max-w-sm overflow-y-auto rounded-control border border-line bg-raised p-1 shadow-lg",
        className,
      )}
    >
      {options.map((option, index) => (
        <button
          key={option.id ?? "everyone"}
          id={mentionOptionId(listId, index)}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Keeps the focus in the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(option)}
          className={classNames(
            "flex min-h-11 w-full cursor-pointer items-center rounded-control px-3 text-sm hover:bg-hover",
            index === active && "bg-sunken font-medium",
          )}
        >
          <bdi className="truncate">{option.name}</bdi>
          {option.id === null ? (
            <span className="ml-2 truncate font-normal text-muted">{mentionStrings.everyone}</span>
          ) : null}
        </button>
      ))}
    </div>
  );
}
