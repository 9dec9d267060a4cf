const names: Readonly<Record<string, string>> = { before_after: "Before and after" };

/** `progress_report` → `Progress report`. */
export function submissionTypeName(type: string): string {
  if (Object.hasOwn(names, type)) return names[type] ?? type;
  const words = type.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
