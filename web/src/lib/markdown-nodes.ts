/** A part of a line of a message, as it is shown. */
export type MessageInline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly href: string; readonly children: readonly MessageInline[] }
  | { readonly kind: "strong"; readonly children: readonly MessageInline[] }
  | { readonly kind: "emphasis"; readonly children: readonly MessageInline[] };

/** A part of a message that stands on lines of its own. */
export type MessageBlock =
  | { readonly kind: "text"; readonly children: readonly MessageInline[] }
  | { readonly kind: "code"; readonly text: string }
  | {
      readonly kind: "list";
      readonly ordered: boolean;
      readonly items: readonly MessageListItem[];
    };

export interface MessageListItem {
  /** As typed before the item of an ordered list; null in others. */
  readonly number: number | null;
  readonly blocks: readonly MessageBlock[];
}
