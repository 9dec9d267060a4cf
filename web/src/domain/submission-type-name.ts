/** `progress_report` → `Progress report`. */
export function submissionTypeName(type: string): string {
  const words = type.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
