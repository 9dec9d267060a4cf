/** Kinds of identity documents, as the database names them. */
const documentTypeNames: Readonly<Record<string, string>> = {
  passport: "Passport",
  drivers_license: "Driving licence",
  national_id: "National identity card",
};

/** The name of a type as the database gives it; an unknown one is shown as it came. */
export function documentTypeName(type: string): string {
  return documentTypeNames[type] ?? type;
}
