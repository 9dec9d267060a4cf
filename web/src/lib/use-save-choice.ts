import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";

/** What is known of some choices, and how one of them is saved. */
interface SavedChoice<Known, Choice> {
  /** Where the query cache keeps what is known. */
  readonly key: QueryKey;
  /** Tells choices under one key apart. */
  readonly name?: string;
  /** The part of what is known that a choice would replace. */
  readonly read: (known: Known, choice: Choice) => Choice;
  readonly write: (known: Known, choice: Choice) => Known;
  readonly save: (choice: Choice) => Promise<unknown>;
  /** Reads again what a choice changes elsewhere, after the last of several choices. */
  readonly onSaved?: () => unknown;
}

/**
 * Saves a choice as soon as it is made. It shows at once, and goes back when it was not saved. Choices of one name are saved one
 * after the other, so that the last one made is what is stored.
 */
export function useSaveChoice<Known, Choice>({
  key,
  name = "",
  read,
  write,
  save,
  onSaved,
}: SavedChoice<Known, Choice>) {
  const queries = useQueryClient();
  const show = (choice: Choice) => {
    queries.setQueryData<Known>(key, (known) =>
      known === undefined ? known : write(known, choice),
    );
  };
  return useMutation({
    mutationKey: key,
    mutationFn: save,
    scope: { id: [...key, name].join("/") },
    onMutate: (choice: Choice) => {
      const known = queries.getQueryData<Known>(key);
      if (known === undefined) return undefined;
      // An answer that is under way was asked for before this choice.
      void queries.cancelQueries({ queryKey: key });
      show(choice);
      return { before: read(known, choice) };
    },
    onError: (error, _choice, shown) => {
      console.error("A choice was not saved", error);
      if (shown) show(shown.before);
    },
    // Read between two choices, the server's answer would take the second back on the screen.
    onSettled: () => (queries.isMutating({ mutationKey: key }) === 1 ? onSaved?.() : undefined),
  });
}
