/** Boxes that stand out of a text. In Markdown they are quotes that begin with a marker such as `[!NOTE]`. */
export const calloutKinds = ["note", "tip", "warning"] as const;
export type CalloutKind = (typeof calloutKinds)[number];

/** What stands above the box. */
export const calloutNames: Readonly<Record<CalloutKind, string>> = {
  note: "Note",
  tip: "Tip",
  warning: "Warning",
};

const marker = /^\[!([A-Z]+)\](?:[ \t]*\n|[ \t]*$)/;

/** The kind that the first words of a quote name, and the words after the marker; null for a plain quote. */
export function readCallout(words: string): { kind: CalloutKind; rest: string } | null {
  const [whole, name = ""] = marker.exec(words) ?? [];
  const kind = calloutKinds.find((each) => each.toUpperCase() === name);
  return whole === undefined || kind === undefined
    ? null
    : { kind, rest: words.slice(whole.length) };
}

/** The first line of a callout within its quote, such as `[!NOTE]`. */
export function calloutMarker(kind: CalloutKind): string {
  return `[!${kind.toUpperCase()}]`;
}
