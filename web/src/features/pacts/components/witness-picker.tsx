import { useQuery } from "@tanstack/react-query";
import { UserPlus, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { searchMembers } from "@/features/people/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { isComposing } from "@/ui/composition.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { pactKeys } from "../queries.ts";
import { witnessStrings } from "../strings.ts";

/** A member who is going to be asked. */
export interface ChosenWitness {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string | null;
}

/** Pause in typing before the server is asked. Milliseconds. */
const debounceMs = 250;

export interface WitnessPickerProps {
  readonly chosen: readonly ChosenWitness[];
  /** How many may be chosen in all. */
  readonly places: number;
  /** Members who were asked before. */
  readonly leftOut?: readonly string[] | undefined;
  readonly disabled?: boolean | undefined;
  readonly onChange: (chosen: readonly ChosenWitness[]) => void;
}

/** Finds members by name and takes them as witnesses. */
export function WitnessPicker(props: WitnessPickerProps) {
  const { chosen, places, leftOut = [], disabled = false, onChange } = props;
  const { client } = useBackend();
  const userId = useUserId();
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState("");
  useEffect(() => systemClock.after(debounceMs, () => setAsked(typed.trim())), [typed]);
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [...pactKeys.all(userId), "find", asked],
    queryFn: () => searchMembers(client, asked),
    enabled: userId !== "" && asked !== "",
    staleTime: 60_000,
  });
  const taken = new Set([userId, ...leftOut, ...chosen.map(({ id }) => id)]);
  const found = asked === "" ? [] : (data ?? []).filter(({ id }) => !taken.has(id));
  const isFull = chosen.length >= places;
  const group = useRef<HTMLDivElement>(null);

  // The button that was pressed is gone: the focus stays in the picker.
  function change(next: readonly ChosenWitness[]): void {
    onChange(next);
    group.current?.focus();
  }

  return (
    <div
      ref={group}
      tabIndex={-1}
      role="group"
      aria-label={witnessStrings.witnesses}
      className="grid grid-cols-1 gap-3 focus:outline-none"
    >
      {chosen.length === 0 ? null : (
        <ul aria-label={witnessStrings.chosen} className="flex flex-wrap gap-2">
          {chosen.map((member) => (
            <li
              key={member.id}
              className="flex max-w-full items-center gap-2 rounded-full border border-line bg-raised pl-1"
            >
              <Face member={member} />
              <bdi className="truncate text-sm">{member.name}</bdi>
              <button
                type="button"
                disabled={disabled}
                aria-label={witnessStrings.remove(member.name)}
                className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:bg-hover hover:text-ink"
                onClick={() => change(chosen.filter(({ id }) => id !== member.id))}
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isFull ? null : (
        <>
          <TextField
            label={witnessStrings.find}
            type="search"
            autoComplete="off"
            value={typed}
            disabled={disabled}
            aria-controls={listId}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              // In a form, Enter would send it half filled in. During composition it belongs to the input method.
              if (event.key === "Enter" && !isComposing(event.nativeEvent)) event.preventDefault();
            }}
          />
          <ul
            id={listId}
            aria-label={witnessStrings.membersFound}
            className="grid grid-cols-1 divide-y divide-line"
          >
            {found.map((member) => (
              <li key={member.id}>
                <button
                  type="button"
                  disabled={disabled}
                  aria-label={witnessStrings.choose(member.name)}
                  className="flex min-h-12 w-full items-center gap-3 rounded-control px-1 text-left hover:bg-hover"
                  onClick={() => {
                    setTyped("");
                    setAsked("");
                    change([...chosen, member]);
                  }}
                >
                  <Face member={member} />
                  <span className="min-w-0 grow">
                    <bdi className="block truncate font-medium">{member.name}</bdi>
                    <span className="block truncate text-sm text-muted">{member.occupation}</span>
                  </span>
                  <UserPlus aria-hidden className="size-4 shrink-0 text-muted" />
                </button>
              </li>
            ))}
          </ul>
          <p role="status" className="text-sm text-muted empty:hidden">
            {asked === "" || isFetching || isError ? "" : witnessStrings.found(found.length)}
          </p>
          {isError ? (
            <LoadFailed
              title={witnessStrings.searchFailed}
              busy={isFetching}
              onRetry={() => void refetch()}
            />
          ) : null}
        </>
      )}
    </div>
  );
}

function Face({ member: { id, name, avatarUrl } }: { readonly member: ChosenWitness }) {
  const { client } = useBackend();
  return <Avatar id={id} name={name} picture={profilePictureUrl(client, avatarUrl)} size="sm" />;
}
