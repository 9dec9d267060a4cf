/** The filters of the page and their values when the address has none. `open` names the row in the panel. */
export const settingsFilters = { part: "levels", open: "" } as const;

export interface SettingsPartProps {
  readonly filters: Readonly<Record<keyof typeof settingsFilters, string>>;
  readonly setFilters: (changes: Partial<Record<keyof typeof settingsFilters, string>>) => void;
}
