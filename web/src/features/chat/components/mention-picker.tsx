import { classNames } from "@/ui/class-names.ts";
import type { Mention } from "../model/message.ts";

/** The id of an option, for `aria-activedescendant`. */
export const mentionOptionId = (listId: string, index: number) => `${listId}-${index}`;

/** The members whom the name being typed may mean. The keys are handled by the message field. */
export function MentionPicker(props: {
  readonly listId: string;
  readonly options: readonly Mention[];
  readonly active: number;
  readonly onPick: (option: Mention) => void;
}) {
  const { listId, options, active, onPick } = props;
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Members to mention"
      className="absolute inset-x-3 bottom-full z-10 mb-2 max-h-60 max-w-sm overflow-y-auto rounded-control border border-line bg-raised p-1 shadow-lg sm:inset-x-6"
    >
      {options.map((option, index) => (
        <button
          key={option.id}
          id={mentionOptionId(listId, index)}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          /* Keeps the focus in the field. */
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(option)}
          className={classNames(
            "flex min-h-11 w-full cursor-pointer items-center rounded-control px-3 text-sm hover:bg-hover",
            index === active && "bg-sunken font-medium",
          )}
        >
          <bdi className="truncate">{option.name}</bdi>
        </button>
      ))}
    </div>
  );
}
