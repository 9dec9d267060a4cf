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
    mutationFn: save,
    scope: { id: [...key, name].join("/") },
    onMutate: (choice: Choice) => {
      const known = queries.getQueryData<Known>(key);
      show(choice);
      return known === undefined ? undefined : { before: read(known, choice) };
    },
    onSuccess: () => onSaved?.(),
    onError: (error, _choice, shown) => {
      console.error("A choice was not saved", error);
      if (shown) show(shown.before);
    },
  });
}
