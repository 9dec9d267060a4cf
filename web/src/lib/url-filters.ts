import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";

/**
 * Filters that live in the address, so that a view can be shared and Back undoes a choice.
 * `defaults` names every filter and its value when the address does not have it; a filter at its
 * default is left out of the address. Pass the same object on every render.
 */
export function useUrlFilters<Name extends string>(defaults: Readonly<Record<Name, string>>) {
  const [parameters, setParameters] = useSearchParams();
  const filters = useMemo(() => {
    const names = Object.keys(defaults) as Name[];
    return Object.fromEntries(
      names.map((name) => [name, parameters.get(name) ?? defaults[name]]),
    ) as Record<Name, string>;
  }, [defaults, parameters]);

  /** `replace` for text that is being typed (see FilterField), so that each pause is not a step of Back. */
  const setFilters = useCallback(
    (changes: Partial<Record<Name, string>>, options: { readonly replace?: boolean } = {}) => {
      // The router gives the parameters of the last render; a change that came just before is in the address already.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes) as [Name, string][]) {
        if (value === defaults[name]) next.delete(name);
        else next.set(name, value);
      }
      // A tab is told twice of one click, by the press and by the focus; Back would then do nothing the first time.
      if (next.toString() === new URLSearchParams(window.location.search).toString()) return;
      setParameters(next, { preventScrollReset: true, replace: options.replace ?? false });
    },
    [defaults, setParameters],
  );
  return [filters, setFilters] as const;
}
