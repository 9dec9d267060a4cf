/** The id of a draft's field on the page, by its name in the database. */
export function draftFieldId(field: string): string {
  return `draft-field-${field}`;
}

export function findDraftField(field: string): HTMLElement | null {
  return document.getElementById(draftFieldId(field));
}
