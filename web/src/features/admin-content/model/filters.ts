/** The filters of the page and their values when the address has none. `open` names the row in the panel. */
export const contentFilters = {
  part: "rooms",
  open: "",
  search: "",
  category: "",
  subcategory: "",
  status: "",
} as const;

export type ContentFilters = Readonly<Record<keyof typeof contentFilters, string>>;
export type SetContentFilters = (
  changes: Partial<ContentFilters>,
  options?: { readonly replace?: boolean },
) => void;

/** What `open` holds while something new is being made. */
export const openNew = "new";
